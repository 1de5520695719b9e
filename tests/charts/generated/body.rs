//! What stands in the generated templates: Services with affinity in any kind of block.

use super::writer::{Allowed, Layout, Sample, Scope, Writer};

/// Makes a template.
pub(crate) fn sample(seed: u64) -> Sample {
    let mut writer = Writer::new(seed);
    writer.file();
    let crlf = writer.random.once_in(12);
    let ends = |text: String| if crlf { text.replace('\n', "\r\n") } else { text };
    if writer.random.once_in(10) {
        writer.open_line();
    }
    Sample { seed, template: ends(writer.out), helpers: ends(writer.helpers) }
}

impl Writer {
    fn file(&mut self) {
        if self.random.once_in(6) {
            self.out
                .push_str(["{{- /* a shop */ -}}\n", "# a shop\n", "\n", "{{/* a shop */}}\n"][self.random.below(4)]);
        }
        if self.random.once_in(5) {
            self.out.push_str("{{- $v := \"x\" }}\n");
        }
        for document in 0..=self.random.below(2) {
            if document > 0 {
                self.line(0, "---");
            }
            match self.random.below(10) {
                0 => self.other_kind(),
                1 => self.guarded_document(),
                2 => self.documents_of_range(),
                _ => self.service(),
            }
        }
    }

    fn other_kind(&mut self) {
        let text = [
            "apiVersion: cloud.google.com/v1\nkind: BackendConfig\nspec:\n  sessionAffinity:\n    affinityType: NONE\n",
            "apiVersion: v1\nkind: ConfigMap\ndata:\n  note: |\n    {{- if .Values.a }}\n    sessionAffinity: ClientIP\n    {{- end }}\n",
        ];
        self.out.push_str(text[self.random.below(text.len())]);
    }

    fn guarded_document(&mut self) {
        let (first, last) = self.layouts();
        let condition = self.condition();
        self.action(first, 0, &format!("if {condition}"));
        self.service();
        self.action(last, 0, "end");
    }

    fn documents_of_range(&mut self) {
        let scope = self.scope;
        self.out.push_str(["{{- range .Values.l }}\n", "{{ range $i, $e := .Values.l }}\n"][self.random.below(2)]);
        self.scope = Scope::Element;
        self.line(0, "---");
        self.service();
        self.scope = scope;
        self.line(0, "{{- end }}");
    }

    fn service(&mut self) {
        let name = self.next();
        self.out.push_str(&format!("apiVersion: v1\nkind: Service\nmetadata:\n  name: n{name}\n"));
        if self.random.once_in(6) {
            self.out.push_str("  labels:\n    {{- toYaml $.Values.labels | nindent 4 }}\n");
        }
        self.line(0, "spec:");
        let indent = [2, 2, 2, 4][self.random.below(4)];
        // Without a first line, the spec may end up empty.
        if !self.random.once_in(10) {
            self.entry(indent);
        }
        self.items(indent, 3, Allowed::BOTH);
        if !self.random.once_in(3) {
            self.entry(indent);
        }
        if self.random.once_in(8) {
            self.line(0, "status: {}");
        }
    }

    /// Writes some items of a spec and returns what may still come.
    fn items(&mut self, indent: usize, depth: usize, mut allowed: Allowed) -> Allowed {
        for _ in 0..=self.random.below(3) {
            allowed = self.item(indent, depth, allowed);
        }
        allowed
    }

    fn item(&mut self, indent: usize, depth: usize, allowed: Allowed) -> Allowed {
        match self.random.below(16) {
            0..=3 if allowed.key => {
                self.key(indent);
                Allowed { key: false, ..allowed }
            }
            4 if allowed.config => {
                self.config(indent);
                Allowed { config: false, ..allowed }
            }
            5..=9 if depth > 0 => self.block(indent, depth - 1, allowed),
            10 if depth > 0 => self.included(indent, depth - 1, allowed),
            11 => {
                self.remark(indent);
                allowed
            }
            12 if depth > 0 => self.inside_line(indent, allowed),
            13 if allowed.key => self.on_one_line(indent, allowed),
            _ => {
                self.entry(indent);
                allowed
            }
        }
    }

    /// Writes an entry that has nothing to do with affinity.
    fn entry(&mut self, indent: usize) {
        let number = self.next();
        let root = self.root();
        match self.random.below(11) {
            0 => {
                self.line(indent, &format!("k{number}:"));
                self.line(indent + 2, "inner: 1");
            }
            1 => {
                self.line(indent, &format!("k{number}:"));
                self.line(indent, "- port: 80");
            }
            2 => {
                self.line(indent, &format!("k{number}: |"));
                self.line(indent + 2, "some");
                self.out.push('\n');
                self.line(indent + 2, "text");
            }
            3 => self
                .line(indent, &format!("k{number}: {{{{- toYaml {root}.Values.labels | nindent {} }}}}", indent + 2)),
            4 => {
                let inner = indent + 2;
                self.line(indent, &format!("k{number}:"));
                self.line(inner, &format!("{{{{- toYaml {root}.Values.labels | nindent {inner} }}}}"));
            }
            5 => self.line(indent, &format!("k{number}: {{{{ {root}.Values.t }}}}")),
            6 => self.line(indent, &format!("k{number}: \"{{{{ {root}.Values.t }}}}\" # why")),
            7 => self.line(indent, &format!("k{number}: [a, {{b: c}}]")),
            _ => self.line(indent, &format!("k{number}: v")),
        }
    }

    fn remark(&mut self, indent: usize) {
        match self.random.below(7) {
            0 => self.line(indent, "# a note"),
            1 => self.out.push('\n'),
            2 => self.line(indent, "{{- /* a note */}}"),
            3 => self.line(indent, "{{- /* a note */ -}}"),
            4 => self.line(indent, "{{/* sessionAffinity: ClientIP */}}"),
            5 => self.line(indent, "{{- $w := .Chart.Name }}".replace(".Chart", "$.Chart").as_str()),
            _ => self.line(0, "# at column 0"),
        }
    }

    fn value(&mut self) -> String {
        let root = self.root();
        let plain = match self.scope {
            Scope::Text if !self.random.once_in(3) => ".".into(),
            Scope::Mapping if !self.random.once_in(3) => ".s".into(),
            _ => format!("{root}.Values.s"),
        };
        match self.random.below(16) {
            0..=4 => "ClientIP".into(),
            5 => "None".into(),
            6 => "\"ClientIP\"".into(),
            7 => format!("\"{{{{ {plain} }}}}\""),
            8 => format!("{{{{ {plain} | quote }}}}"),
            9 => format!("{{{{ default \"None\" {plain} }}}}"),
            10 => format!("{{{{ {plain} | default \"ClientIP\" }}}}"),
            11 => format!("{{{{ if {root}.Values.a }}}}ClientIP{{{{ else }}}}None{{{{ end }}}}"),
            12 => format!("{{{{- if {root}.Values.b }}}} ClientIP{{{{- else }}}} {{{{ {plain} }}}}{{{{- end }}}}"),
            _ => format!("{{{{ {plain} }}}}"),
        }
    }

    fn key(&mut self, indent: usize) {
        if self.random.once_in(12) {
            let text = self.random.pick(&["# our clients", "# sessionAffinity keeps the carts"]).to_owned();
            self.line(indent, &text);
        }
        let value = self.value();
        let behind = if self.random.once_in(12) { " # pinned" } else { "" };
        let gap = if value.starts_with("{{-") { "" } else { " " };
        self.line(indent, &format!("sessionAffinity:{gap}{value}{behind}"));
    }

    fn config(&mut self, indent: usize) {
        let root = self.root();
        let inner = indent + 2;
        match self.random.below(4) {
            0 => {
                self.line(indent, &format!("{{{{- with {root}.Values.cfg }}}}"));
                self.line(indent, &format!("sessionAffinityConfig: {{{{- toYaml . | nindent {inner} }}}}"));
                self.line(indent, "{{- end }}");
            }
            1 => {
                self.line(indent, &format!("{{{{- if {root}.Values.cfg }}}}"));
                self.line(indent, "sessionAffinityConfig:");
                self.line(0, &format!("{{{{ toYaml {root}.Values.cfg | indent {inner} }}}}"));
                self.line(indent, "{{- end }}");
            }
            2 => {
                self.line(indent, "sessionAffinityConfig:");
                self.line(inner, "clientIP:");
                self.line(inner + 2, &format!("timeoutSeconds: {{{{ {root}.Values.n }}}}"));
            }
            _ => self.line(indent, "sessionAffinityConfig: {clientIP: {timeoutSeconds: 5}}"),
        }
    }

    fn block(&mut self, indent: usize, depth: usize, allowed: Allowed) -> Allowed {
        let scope = self.scope;
        let (first, last) = self.layouts();
        let root = self.root();
        let (header, inside) = match self.random.below(10) {
            0 => (format!("with {root}.Values.s"), Scope::Text),
            1 => (format!("with {root}.Values.m"), Scope::Mapping),
            2 => (format!("range {root}.Values.o"), Scope::Element),
            _ => (format!("if {}", self.condition()), scope),
        };
        self.action(first, indent, &header);
        self.scope = inside;
        let mut left = self.branch(indent, depth, allowed);
        self.scope = scope;
        if self.random.once_in(2) {
            while header.starts_with("if") && self.random.once_in(3) {
                let condition = self.condition();
                self.action(first, indent, &format!("else if {condition}"));
                left = left.and(self.branch(indent, depth, allowed));
            }
            self.action(first, indent, "else");
            left = left.and(self.branch(indent, depth, allowed));
        }
        self.action(last, indent, "end");
        left
    }

    /// Writes a branch; often the key is all it holds.
    fn branch(&mut self, indent: usize, depth: usize, allowed: Allowed) -> Allowed {
        match self.random.below(8) {
            0..=2 if allowed.key => {
                self.key(indent);
                Allowed { key: false, ..allowed }
            }
            3 if allowed.key && allowed.config => {
                self.key(indent);
                self.config(indent);
                Allowed::NEITHER
            }
            4 => {
                self.line(indent, "{{- $u := \"y\" }}");
                self.items(indent, depth, allowed)
            }
            5 if self.random.once_in(3) => allowed,
            _ => self.items(indent, depth, allowed),
        }
    }

    /// A line break inside the block: `k: v{{ if }}`, the key, `{{ end }}` behind it.
    fn inside_line(&mut self, indent: usize, allowed: Allowed) -> Allowed {
        if !self.out.ends_with('\n') || self.out.ends_with("}}\n") || !allowed.key {
            return allowed;
        }
        self.open_line();
        let condition = self.condition();
        self.braces(Layout::Bare, &format!("if {condition}"));
        self.out.push('\n');
        self.key(indent);
        self.open_line();
        if self.random.once_in(3) {
            self.braces(Layout::Bare, "else");
            self.out.push('\n');
            self.entry(indent);
            self.open_line();
        }
        self.braces(Layout::Bare, "end");
        self.out.push('\n');
        Allowed { key: false, ..allowed }
    }

    fn on_one_line(&mut self, indent: usize, allowed: Allowed) -> Allowed {
        let condition = self.condition();
        let value = self.value();
        let other = if self.random.once_in(3) { "{{ else }}k: v" } else { "" };
        let gap = if value.starts_with("{{-") { "" } else { " " };
        self.line(indent, &format!("{{{{ if {condition} }}}}sessionAffinity:{gap}{value}{other}{{{{ end }}}}"));
        Allowed { key: false, ..allowed }
    }

    /// Items in a define of their own, at column 0 or where they are used.
    fn included(&mut self, indent: usize, depth: usize, allowed: Allowed) -> Allowed {
        let number = self.next();
        let name = format!("{}.{number}", self.name);
        let moved = self.random.once_in(3);
        let written = std::mem::take(&mut self.out);
        let scope = std::mem::replace(&mut self.scope, Scope::Root);
        let trims = self.random.below(4);
        let (open, close) = [
            ("{{- define NAME -}}", "{{- end -}}"),
            ("{{- define NAME }}", "{{- end }}"),
            ("{{ define NAME -}}", "{{ end }}"),
            ("{{- define NAME -}}", "{{- end }}"),
        ][trims];
        self.out.push_str(&open.replace("NAME", &format!("{name:?}")));
        self.out.push('\n');
        let left = self.items(if moved { indent } else { 0 }, depth, allowed);
        self.out.push_str(close);
        self.out.push('\n');
        let body = std::mem::replace(&mut self.out, written);
        self.helpers.push_str(&body);
        self.scope = scope;
        let dot = if self.scope == Scope::Root { "." } else { "$" };
        match (moved, self.random.below(3)) {
            (true, 0) => self.line(0, &format!("{{{{- template {name:?} {dot} }}}}")),
            (true, _) => self.line(0, &format!("{{{{- include {name:?} {dot} }}}}")),
            (false, 0) => self.line(0, &format!("{{{{ include {name:?} {dot} | indent {indent} }}}}")),
            (false, 1) => self.line(0, &format!("{{{{ include {name:?} {dot} | trim | indent {indent} }}}}")),
            (false, _) => self.line(indent, &format!("{{{{- include {name:?} {dot} | nindent {indent} }}}}")),
        }
        left
    }
}
