//! Services in block style.

use super::{Affinity, Config, Fate, Place, State, Writer};

/// An entry of a spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    Config,
    Other(usize),
}

/// Sibling entries: the first line, and the lines below it at one step of indentation.
const OTHERS: &[(&str, &[&str])] = &[
    ("type: ClusterIP", &[]),
    ("ports:", &["- port: 80 # web", "  name: http", "- port: 443"]),
    ("selector:", &["app: \"shop\"", "# which part", "'tier': front"]),
    ("externalName: |", &["sessionAffinity: ClientIP", "", "# no comment"]),
    ("clusterIP: None", &[]),
    ("externalIPs: [1.1.1.1, # one", &["2.2.2.2]"]),
    ("loadBalancerIP:", &[]),
    ("\"externalTrafficPolicy\": &policy Local # as it was", &[]),
];

const KEYS: &[&str] = &[
    "sessionAffinity",
    "\"sessionAffinity\"",
    "'sessionAffinity'",
    "\"session\\x41ffinity\"",
    "!!str sessionAffinity",
];

/// Comment blocks that leave with a removed key below them, and the key that they name.
const OWNED: &[(&str, &[&str])] = &[
    ("sessionAffinity", &["# sessionAffinity keeps people on one pod"]),
    ("sessionAffinity", &["# People log in here.", "# So we need `sessionAffinity`,", "#   as was said."]),
    ("sessionAffinityConfig", &["#sessionAffinityConfig and the like"]),
];

/// Comment blocks that stay.
const OTHERS_COMMENTS: &[&[&str]] = &[
    &["# Keep people on one pod."],
    &["# SessionAffinity, sessionaffinity, xsessionAffinity, sessionAffinityState"],
    &["# one", "#", "# two"],
    &["# grün, 例え, 😀"],
];

/// What a line of this place begins with.
struct Indent<'a> {
    entry: &'a str,
    step: &'a str,
}

impl Writer {
    /// Writes one Service as block mappings.
    pub(super) fn service(&mut self, place: &Place) {
        let mut sections = vec!["apiVersion: v1", "kind: Service", "metadata", "spec"];
        if self.random.once_in(3) {
            sections.push("status: {loadBalancer: {}}");
        }
        self.random.shuffle(&mut sections);
        let step = self.random.pick(&["  ", "  ", "    ", " ", "        "]);
        for (at, section) in sections.into_iter().enumerate() {
            let margin = place.dash.as_deref().filter(|_| at == 0).unwrap_or(&place.margin);
            self.stays(margin);
            match section {
                "metadata" => {
                    let line = format!("metadata:\n{}{step}name: web # a name\n", place.margin);
                    self.stays(&line);
                }
                "spec" => self.spec(&format!("{}{step}", place.margin), step),
                line => self.stays(&format!("{line}\n")),
            }
        }
    }

    fn spec(&mut self, entry: &str, step: &str) {
        let affinity = Affinity::random(&mut self.random);
        let mut parts = Vec::new();
        if affinity.state != State::Absent {
            parts.push(Part::Key);
        }
        if affinity.config != Config::Absent {
            parts.push(Part::Config);
        }
        let is_alone = self.random.once_in(4) && !parts.is_empty();
        if !is_alone {
            let mut others: Vec<usize> = (0..OTHERS.len()).collect();
            self.random.shuffle(&mut others);
            others.truncate(1 + self.random.below(4));
            parts.extend(others.into_iter().map(Part::Other));
        }
        self.random.shuffle(&mut parts);

        let goes = |part: &Part| match part {
            Part::Key => affinity.key_goes(),
            Part::Config => affinity.config_goes(),
            Part::Other(_) => false,
        };
        let head = self.random.pick(&["spec:", "spec:", "spec:", "\"spec\":", "spec: &spec", "spec: !!map", "spec :"]);
        self.stays(head);
        if parts.iter().all(goes) {
            self.write(Fate::Comes, " {}");
        }
        let tail = self.random.pick(&["\n", "\n", "\n", " # the spec\n", "   \n"]);
        self.stays(tail);
        let indent = Indent { entry, step };
        for part in &parts {
            self.gap(&indent, &parts, goes(part), affinity.key_goes());
            match part {
                Part::Key => self.key(&indent, affinity),
                Part::Config => self.config(&indent, affinity),
                Part::Other(other) => self.other(&indent, *other),
            }
        }
        if self.random.once_in(6) {
            let end = self.random.pick(&["\n", " \n"]);
            self.stays(end);
        }
    }

    /// Writes blank lines and comments above an entry.
    fn gap(&mut self, indent: &Indent<'_>, parts: &[Part], goes: bool, key_goes: bool) {
        if self.random.once_in(4) {
            // More white space than this could become a line of a block scalar above.
            let blank = self.random.pick(&["\n", "\n\n", " \n"]);
            self.stays(blank);
        }
        let (fate, lines): (Fate, &[&str]) = match self.random.below(6) {
            0 | 1 => {
                let (name, lines) = OWNED[self.random.below(OWNED.len())];
                // A key that stays is a sibling of the config that goes.
                let is_sibling = !key_goes && parts.contains(&Part::Key) && name == "sessionAffinity";
                (if goes && !is_sibling { Fate::Goes } else { Fate::Stays }, lines)
            }
            2 => (Fate::Stays, OTHERS_COMMENTS[self.random.below(OTHERS_COMMENTS.len())]),
            3 => match parts.iter().find_map(|part| if let Part::Other(other) = part { Some(*other) } else { None }) {
                Some(other) => {
                    let name = OTHERS[other].0.split(':').next().unwrap_or("").trim_matches('"');
                    self.stays(&format!("{}# sessionAffinity goes with {name}\n", indent.entry));
                    return;
                }
                None => return,
            },
            _ => return,
        };
        for line in lines {
            self.write(fate, &format!("{}{line}\n", indent.entry));
        }
        if self.random.once_in(8) && fate == Fate::Stays {
            self.stays("\n");
        }
    }

    fn other(&mut self, indent: &Indent<'_>, other: usize) {
        let (first, below) = OTHERS[other];
        self.stays(&format!("{}{first}\n", indent.entry));
        for line in below {
            if line.is_empty() {
                self.stays("\n");
            } else {
                self.stays(&format!("{}{}{line}\n", indent.entry, indent.step));
            }
        }
    }

    fn key(&mut self, indent: &Indent<'_>, affinity: Affinity) {
        let fate = if affinity.key_goes() { Fate::Goes } else { Fate::Stays };
        let (entry, step) = (indent.entry, indent.step);
        let key = self.random.pick(KEYS);
        let comment = self.random.pick(&["", "", "", " # why", "  ", " # ports and all"]);
        let values: &[&str] = match affinity.state {
            State::Sticky => &[
                "ClientIP",
                "ClientIP",
                "\"ClientIP\"",
                "'ClientIP'",
                "!!str ClientIP",
                "\"Client\\x49P\"",
                "clientip",
                "'5'",
                "&own ClientIP",
                "\"no\"",
            ],
            _ => &["None", "'None'", "\"None\"", "!!str None", "null", "~", "\"\"", "''", "Null"],
        };
        let value = self.random.pick(values);
        let piece = match self.random.below(10) {
            0 => format!("{entry}? {key}\n{entry}: {value}{comment}\n"),
            1 => format!("{entry}{key}:{comment}\n{entry}{step}{value}\n"),
            2 if fate == Fate::Goes => {
                let header = self.random.pick(&["|-", ">-", ">", "|", "|- # how"]);
                format!("{entry}{key}: {header}\n{entry}{step}ClientIP\n")
            }
            3 => format!("{entry}{key} :   {value}{comment}\n"),
            4 => format!("{entry}{key}:\t{value}{comment}\n"),
            _ => format!("{entry}{key}: {value}{comment}\n"),
        };
        self.write(fate, &piece);
    }

    fn config(&mut self, indent: &Indent<'_>, affinity: Affinity) {
        let fate = if affinity.config_goes() { Fate::Goes } else { Fate::Stays };
        let (entry, step) = (indent.entry, indent.step);
        let key = self.random.pick(&[
            "sessionAffinityConfig",
            "\"sessionAffinityConfig\"",
            "\"session\\u0041ffinityConfig\"",
        ]);
        if affinity.config == Config::Null {
            let value = self.random.pick(&["", " null", " ~", " # nothing"]);
            self.write(fate, &format!("{entry}{key}:{value}\n"));
            return;
        }
        let piece = match self.random.below(6) {
            0 => format!("{entry}{key}: {{}} # empty\n"),
            1 => format!("{entry}{key}: {{clientIP: {{timeoutSeconds: 600}}}}\n"),
            2 => {
                format!("{entry}{key}: {{\n{entry}{step}clientIP: {{timeoutSeconds: 600}} # ten\n{entry}}} # minutes\n")
            }
            3 => format!(
                "{entry}{key}:\n{entry}{step}clientIP:\n\n# at the margin\n{entry}{step}{step}timeoutSeconds: 600\n"
            ),
            4 => format!(
                "{entry}{key}: # ten minutes\n{entry}# inside\n{entry}{step}clientIP:\n{entry}{step}{step}timeoutSeconds: 600\n\
                 {entry}{step}{step}# was more\n{entry}{step}# once\n"
            ),
            _ => format!("{entry}{key}:\n{entry}{step}clientIP:\n{entry}{step}{step}timeoutSeconds: 600 # ten\n"),
        };
        self.write(fate, &piece);
    }
}
