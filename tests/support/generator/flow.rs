//! Services in flow style and as JSON.

use super::{Affinity, Config, Fate, State, Writer};

/// One member of a mapping.
struct Member {
    text: String,
    goes: bool,
    /// A comment above that names `sessionAffinity` leaves with it.
    owns_comment: bool,
}

/// How a mapping's members are laid out.
struct Layout {
    /// After the opening brace, before each member on a line of its own; `None` for one line.
    indent: Option<String>,
    /// White space inside the braces of one line.
    padding: &'static str,
    /// Between the members of one line.
    separator: &'static str,
    /// White space before the closing brace where members have lines of their own.
    end: String,
    has_trailing_comma: bool,
    has_comments: bool,
}

const YAML_OTHERS: &[&str] =
    &["type: ClusterIP", "ports: [{port: 80}]", "\"selector\": {app: web}", "clusterIP: 'None'", "externalName: a#b"];
const JSON_OTHERS: &[&str] = &[
    "\"type\": \"ClusterIP\"",
    "\"ports\": [{\"port\": 80}]",
    "\"selector\": {\"app\": \"a, }\\\"b\"}",
    "\"externalName\": \"\\ud83d\\ude00 {\"",
    "\"clusterIP\": \"None\"",
];

impl Writer {
    /// Writes a whole document as one flow mapping; a marker line above keeps it from being taken for JSON.
    pub(super) fn flow_document(&mut self) {
        if !self.input.ends_with("---\n") && !self.input.ends_with("---\r\n") {
            self.stays("# flow\n");
        }
        self.stays("{apiVersion: v1, kind: Service, spec: ");
        let layout = self.layout(false, "  ");
        self.flow_spec(false, &layout);
        self.stays("}\n");
    }

    /// Writes a block document whose spec is a flow mapping.
    pub(super) fn flow_spec_document(&mut self) {
        self.stays("apiVersion: v1\nkind: Service\nspec: ");
        let layout = self.layout(false, "  ");
        self.flow_spec(false, &layout);
        let tail = self.random.pick(&["\n", " # the spec\n", "\nstatus: {}\n"]);
        self.stays(tail);
    }

    /// Writes JSON objects one after the other.
    pub(super) fn json_stream(&mut self) {
        if self.random.once_in(8) {
            self.stays("\u{feff}");
        }
        for _ in 0..=self.random.below(3) {
            let is_pretty = self.random.once_in(2);
            if self.random.once_in(3) {
                self.stays("{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [");
                self.json_service(is_pretty);
                self.stays(", ");
                self.json_service(is_pretty);
                self.stays("]}");
            } else {
                self.json_service(is_pretty);
            }
            let between = self.random.pick(&["", "\n", "\n\n", "  "]);
            self.stays(between);
        }
    }

    fn json_service(&mut self, is_pretty: bool) {
        let (open, close) = if is_pretty { ("\n  ", "\n") } else { ("", "") };
        self.stays(&format!("{{{open}\"kind\": \"Service\",{open}\"apiVersion\": \"v1\",{open}\"spec\": "));
        let layout = self.layout(true, "    ");
        self.flow_spec(true, &layout);
        self.stays(&format!("{close}}}"));
    }

    fn layout(&mut self, is_json: bool, indent: &str) -> Layout {
        let has_lines = self.random.once_in(2);
        let indent = if is_json { self.random.pick(&[indent, "\t", "      "]) } else { indent };
        Layout {
            indent: has_lines.then(|| indent.to_owned()),
            padding: self.random.pick(&["", " "]),
            separator: self.random.pick(&[", ", ", ", ",  "]),
            end: indent.to_owned(),
            has_trailing_comma: !is_json && self.random.once_in(4),
            has_comments: !is_json && self.random.once_in(2),
        }
    }

    fn flow_spec(&mut self, is_json: bool, layout: &Layout) {
        let members = self.members(is_json);
        let last_staying = members.iter().rposition(|member| !member.goes);
        if last_staying.is_none() {
            let inside = self.inside(&members, layout);
            self.stays("{");
            self.write(Fate::Goes, &inside);
            self.stays("}");
            return;
        }
        self.stays("{");
        if let Some(indent) = &layout.indent {
            self.stays("\n");
            self.lines(&members, layout, indent, last_staying.unwrap_or(0));
            self.stays(&layout.end);
        } else {
            self.stays(layout.padding);
            self.one_line(&members, layout, last_staying.unwrap_or(0));
            self.stays(layout.padding);
        }
        self.stays("}");
    }

    /// Returns what stands between the braces of a mapping that is emptied.
    fn inside(&mut self, members: &[Member], layout: &Layout) -> String {
        let texts: Vec<&str> = members.iter().map(|member| member.text.as_str()).collect();
        let comma = if layout.has_trailing_comma { "," } else { "" };
        match &layout.indent {
            None => format!("{0}{1}{comma}{0}", layout.padding, texts.join(layout.separator)),
            Some(indent) => format!("\n{indent}{}{comma}\n{}", texts.join(&format!(",\n{indent}")), layout.end),
        }
    }

    fn one_line(&mut self, members: &[Member], layout: &Layout, last_staying: usize) {
        for (at, member) in members.iter().enumerate() {
            let fate = if member.goes { Fate::Goes } else { Fate::Stays };
            self.write(fate, &member.text);
            let is_last = at + 1 == members.len();
            // The comma after the last member that stays is needed only if others followed, or if a trailing one was there.
            if !is_last {
                let goes = member.goes || at >= last_staying;
                self.write(if goes { Fate::Goes } else { Fate::Stays }, layout.separator);
            }
        }
        if layout.has_trailing_comma {
            self.stays(",");
        }
    }

    fn lines(&mut self, members: &[Member], layout: &Layout, indent: &str, last_staying: usize) {
        for (at, member) in members.iter().enumerate() {
            let fate = if member.goes { Fate::Goes } else { Fate::Stays };
            if layout.has_comments && self.random.once_in(4) {
                self.stays(&format!("{indent}# what follows\n"));
            } else if layout.has_comments && self.random.once_in(6) {
                let fate = if member.owns_comment { Fate::Goes } else { Fate::Stays };
                self.write(fate, &format!("{indent}# sessionAffinity is said here\n"));
            }
            self.write(fate, &format!("{indent}{}", member.text));
            let is_last = at + 1 == members.len();
            if !is_last || layout.has_trailing_comma {
                let goes = member.goes || at == last_staying && !layout.has_trailing_comma;
                self.write(if goes { Fate::Goes } else { Fate::Stays }, ",");
            }
            if layout.has_comments && self.random.once_in(3) {
                self.write(fate, " # beside");
            }
            self.write(fate, "\n");
        }
    }

    fn members(&mut self, is_json: bool) -> Vec<Member> {
        let affinity = Affinity::random(&mut self.random);
        let mut members = Vec::new();
        if affinity.state != State::Absent {
            let sticky: &[&str] = if is_json {
                &["\"ClientIP\"", "\"Client\\u0049P\"", "\"x\""]
            } else {
                &["ClientIP", "'ClientIP'", "\"ClientIP\"", "!!str ClientIP"]
            };
            let off: &[&str] = if is_json { &["\"None\"", "null", "\"\""] } else { &["None", "~", "null", "''"] };
            let value = self.random.pick(if affinity.state == State::Sticky { sticky } else { off });
            let json_keys: &[&str] = &["\"sessionAffinity\"", "\"session\\u0041ffinity\""];
            let keys =
                if is_json { json_keys } else { &["sessionAffinity", "\"sessionAffinity\"", "? sessionAffinity"] };
            let key = self.random.pick(keys);
            let colon = self.random.pick(&[": ", " : ", ":  "]);
            members.push(Member {
                text: format!("{key}{colon}{value}"),
                goes: affinity.key_goes(),
                owns_comment: affinity.key_goes(),
            });
        }
        if affinity.config != Config::Absent {
            let key = if is_json { "\"sessionAffinityConfig\"" } else { "sessionAffinityConfig" };
            let value = match (affinity.config, is_json) {
                (Config::Null, _) => "null",
                (_, true) => self.random.pick(&["{}", "{\"clientIP\": {\n\"timeoutSeconds\": 600}}"]),
                (_, false) => self.random.pick(&["{}", "{clientIP: {timeoutSeconds: 600}}"]),
            };
            // Where the key stays, it is a sibling that the comment names.
            let owns_comment = affinity.config_goes() && affinity.state != State::Off;
            members.push(Member { text: format!("{key}: {value}"), goes: affinity.config_goes(), owns_comment });
        }
        if members.is_empty() || !self.random.once_in(4) {
            let mut others = if is_json { JSON_OTHERS } else { YAML_OTHERS }.to_vec();
            self.random.shuffle(&mut others);
            others.truncate(1 + self.random.below(3));
            members.extend(others.into_iter().map(|text| Member {
                text: text.to_owned(),
                goes: false,
                owns_comment: false,
            }));
        }
        self.random.shuffle(&mut members);
        members
    }
}
