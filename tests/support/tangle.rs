//! Lists of Services that share values, configs and whole specs through anchors, aliases and merge keys.

use std::fmt::Write as _;

use crate::random::Random;

/// Makes a List whose items are named `s0`, `s1` and so on.
pub fn tangle(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut tangle = Tangle { text: String::from("apiVersion: v1\nkind: List\nitems:\n"), ..Tangle::default() };
    for item in 0..2 + random.below(3) {
        tangle.item(item, &mut random);
    }
    tangle.text
}

#[derive(Default)]
struct Tangle {
    text: String,
    scalars: Vec<String>,
    configs: Vec<String>,
    mappings: Vec<String>,
    count: usize,
}

impl Tangle {
    fn item(&mut self, item: usize, random: &mut Random) {
        let is_service = !random.once_in(4);
        let (kind, field) = if is_service { ("Service", "spec") } else { ("ConfigMap", "data") };
        let _ = writeln!(self.text, "- apiVersion: v1\n  kind: {kind}\n  metadata:\n    name: s{item}");
        if is_service && !self.mappings.is_empty() && random.once_in(5) {
            let target = self.choose_mapping(random);
            let _ = writeln!(self.text, "  {field}: *{target}");
            return;
        }
        let anchor = random.once_in(2).then(|| self.fresh("m"));
        let mark = anchor.as_ref().map_or_else(String::new, |anchor| format!(" &{anchor}"));
        let _ = writeln!(self.text, "  {field}:{mark}");
        let mut entries = 0;
        let mut order = [0, 1, 2, 3, 4];
        random.shuffle(&mut order);
        for part in order {
            let before = self.text.len();
            match part {
                0 if random.once_in(2) => self.value(random),
                1 if random.once_in(4) => self.config(random),
                2 if random.once_in(2) => self.merge(random),
                3 if random.once_in(3) => self.selector(random),
                4 => self.text.push_str("    type: NodePort\n"),
                _ => {}
            }
            entries += usize::from(self.text.len() > before);
        }
        debug_assert!(entries > 0);
        self.mappings.extend(anchor);
    }

    fn fresh(&mut self, kind: &str) -> String {
        self.count += 1;
        format!("{kind}{}", self.count)
    }

    fn choose_mapping(&self, random: &mut Random) -> String {
        self.mappings[random.below(self.mappings.len())].clone()
    }

    fn value(&mut self, random: &mut Random) {
        if !self.scalars.is_empty() && random.once_in(2) {
            let target = &self.scalars[random.below(self.scalars.len())];
            let _ = writeln!(self.text, "    sessionAffinity: *{target}");
            return;
        }
        let value = random.pick(&["ClientIP", "ClientIP", "\"ClientIP\"", "None"]);
        if random.once_in(2) {
            let anchor = self.fresh("a");
            let _ = writeln!(self.text, "    sessionAffinity: &{anchor} {value}");
            self.scalars.push(anchor);
        } else {
            let _ = writeln!(self.text, "    sessionAffinity: {value}");
        }
    }

    fn config(&mut self, random: &mut Random) {
        if !self.configs.is_empty() && random.once_in(2) {
            let target = &self.configs[random.below(self.configs.len())];
            let _ = writeln!(self.text, "    sessionAffinityConfig: *{target}");
            return;
        }
        let anchor = self.fresh("c");
        if random.once_in(2) {
            let _ = writeln!(self.text, "    sessionAffinityConfig: &{anchor} {{clientIP: {{timeoutSeconds: 5}}}}");
        } else {
            let _ =
                writeln!(self.text, "    sessionAffinityConfig: &{anchor}\n      clientIP:\n        timeoutSeconds: 5");
        }
        self.configs.push(anchor);
    }

    fn merge(&mut self, random: &mut Random) {
        if self.mappings.is_empty() {
            let inside = random.pick(&["sessionAffinity: ClientIP", "sessionAffinity: None, x: y", "x: y"]);
            let _ = writeln!(self.text, "    <<: {{{inside}}}");
        } else if random.once_in(3) {
            let (first, second) = (self.choose_mapping(random), self.choose_mapping(random));
            let _ = writeln!(self.text, "    <<: [*{first}, *{second}]");
        } else {
            let target = self.choose_mapping(random);
            let _ = writeln!(self.text, "    <<: *{target}");
        }
    }

    fn selector(&mut self, random: &mut Random) {
        if !self.scalars.is_empty() {
            let target = &self.scalars[random.below(self.scalars.len())];
            let _ = writeln!(self.text, "    selector: {{mode: *{target}}}");
        }
    }
}
