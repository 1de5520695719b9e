//! Texts with a known right answer: each piece is written into the input and, unless it belongs to an entry that has to
//! go, into the expected output. Nothing is ever cut out, so the generator cannot share a mistake with the editor.

use crate::random::Random;

#[path = "generator/block.rs"]
mod block;
#[path = "generator/flow.rs"]
mod flow;

/// A text and what must come out of it with the default policy.
pub struct Sample {
    pub input: Vec<u8>,
    pub expected: Vec<u8>,
}

/// Where a piece is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Into both texts.
    Stays,
    /// Into the input only.
    Goes,
    /// Into the expected output only.
    Comes,
}

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Lf,
    Crlf,
    Mixed,
}

/// Two texts in the making.
struct Writer {
    random: Random,
    line_end: LineEnd,
    input: String,
    expected: String,
    /// Fate of the last piece.
    last: Fate,
}

/// What a Service's affinity says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Sticky,
    Off,
    Absent,
}

/// What a Service's config says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Config {
    Set,
    Null,
    Absent,
}

/// Affinity of one Service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Affinity {
    state: State,
    config: Config,
}

impl Affinity {
    fn random(random: &mut Random) -> Self {
        let state = [State::Sticky, State::Sticky, State::Sticky, State::Off, State::Absent][random.below(5)];
        let config = [Config::Absent, Config::Absent, Config::Set, Config::Null][random.below(4)];
        Self { state, config }
    }

    fn key_goes(self) -> bool {
        self.state == State::Sticky
    }

    fn config_goes(self) -> bool {
        self.state == State::Sticky || self.config == Config::Set
    }
}

impl Writer {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let line_end = [LineEnd::Lf, LineEnd::Lf, LineEnd::Crlf, LineEnd::Mixed][random.below(4)];
        Self { random, line_end, input: String::new(), expected: String::new(), last: Fate::Stays }
    }

    /// Writes a piece; each `\n` in it becomes a line end of the text's kind.
    fn write(&mut self, fate: Fate, piece: &str) {
        self.last = fate;
        for character in piece.chars() {
            let mut bytes = [0; 4];
            let written = match character {
                '\n' => self.line_end(),
                other => &*other.encode_utf8(&mut bytes),
            };
            if fate != Fate::Comes {
                self.input.push_str(written);
            }
            if fate != Fate::Goes {
                self.expected.push_str(written);
            }
        }
    }

    fn line_end(&mut self) -> &'static str {
        match self.line_end {
            LineEnd::Lf => "\n",
            LineEnd::Crlf => "\r\n",
            LineEnd::Mixed => self.random.pick(&["\n", "\r\n"]),
        }
    }

    /// Takes the final line end off again.
    fn drop_final_line_end(&mut self) {
        let texts: &mut [&mut String] = match self.last {
            Fate::Stays => &mut [&mut self.input, &mut self.expected],
            Fate::Goes => &mut [&mut self.input],
            Fate::Comes => &mut [&mut self.expected],
        };
        for text in texts {
            let kept = text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
            let length = kept.map_or(text.len(), str::len);
            text.truncate(length);
        }
    }

    fn stays(&mut self, piece: &str) {
        self.write(Fate::Stays, piece);
    }

    /// Writes the documents of a YAML stream.
    fn stream(&mut self) {
        if self.random.once_in(8) {
            self.stays("\u{feff}");
        }
        if self.random.once_in(5) {
            self.stays("# all Services of the shop\n");
        }
        if self.random.once_in(3) {
            self.stays("---\n");
        }
        let documents = 1 + self.random.below(3);
        for document in 0..documents {
            if document > 0 {
                let marker = self.random.pick(&["---\n", "--- # next\n", "\n---\n\n", "...\n---\n"]);
                self.stays(marker);
            }
            match self.random.below(10) {
                0 => self.stays(
                    "apiVersion: v1\nkind: ConfigMap\ndata:\n  note: |\n    spec:\n      sessionAffinity: ClientIP\n",
                ),
                1 => self.stays("# nothing but a comment\n"),
                2 | 3 => self.list(),
                4 => self.flow_document(),
                5 => self.flow_spec_document(),
                _ => self.service(&Place::default()),
            }
        }
        if self.random.once_in(6) {
            self.drop_final_line_end();
        }
    }

    fn list(&mut self) {
        let kind = self.random.pick(&["List", "ServiceList"]);
        self.stays(&format!("apiVersion: v1\nkind: {kind}\nitems:\n"));
        let margin = self.random.pick(&["", "  "]);
        let gap = self.random.pick(&[" ", "   "]);
        for _ in 0..=self.random.below(3) {
            let place = Place { margin: format!("{margin} {gap}"), dash: Some(format!("{margin}-{gap}")) };
            self.service(&place);
        }
    }
}

/// Where an object's lines stand.
#[derive(Debug, Default)]
struct Place {
    /// White space before each line.
    margin: String,
    /// What stands before the first line instead.
    dash: Option<String>,
}

/// Makes a YAML stream.
pub fn yaml(seed: u64) -> Sample {
    let mut writer = Writer::new(seed);
    writer.stream();
    Sample { input: writer.input.into_bytes(), expected: writer.expected.into_bytes() }
}

/// Makes a stream of JSON objects.
pub fn json(seed: u64) -> Sample {
    let mut writer = Writer::new(seed);
    writer.json_stream();
    Sample { input: writer.input.into_bytes(), expected: writer.expected.into_bytes() }
}
