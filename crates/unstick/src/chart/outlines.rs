//! The structure of all templates of a chart, and where their defines are included.

use std::collections::HashMap;

use unstick_yaml::{Action, ActionKind, Operand, Template, TemplateNodeKind, TemplateOutline, Token, parse_expression};

use super::ChartSet;

/// The outlines of a chart's templates.
pub(crate) struct Outlines {
    /// For each file of the set, its outline where it is a template that can be read.
    pub files: Vec<Option<TemplateOutline>>,
    /// For each name of a `define`, the places that print it.
    pub sites: HashMap<String, Vec<IncludeSite>>,
    /// For each name of a `define`, its file and block; later ones win in Helm, all of them are kept.
    pub defines: HashMap<String, Vec<(usize, usize)>>,
}

/// A place that prints a `define`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IncludeSite {
    /// The file.
    pub file: usize,
    /// The node of its hole; `None` where the text goes into a variable or through a function that reads it.
    pub hole: Option<usize>,
}

/// Functions that pass text on, changing at most its indentation.
const PASSING: &[&str] = &["nindent", "indent", "trim", "trimSuffix", "trimPrefix"];

impl Outlines {
    /// Reads all templates of a set.
    pub(crate) fn new(set: &ChartSet<'_>) -> Self {
        let mut outlines = Self { files: Vec::new(), sites: HashMap::new(), defines: HashMap::new() };
        for (file, template) in set.templates.iter().enumerate() {
            let Some(template) = template else {
                outlines.files.push(None);
                continue;
            };
            let text = set.files[file].bytes;
            let outline = TemplateOutline::read(text, template);
            outlines.note_defines(text, template, file);
            outlines.note_sites(text, template, &outline, file);
            outlines.files.push(Some(outline));
        }
        outlines
    }

    /// Returns the name that a `define` block gives to its body.
    pub(crate) fn define_name(text: &[u8], template: &Template, block: usize) -> Option<String> {
        let action = template.action(template.blocks[block].branches[0].header)?;
        let expression = parse_expression(text, action.pipeline(text)).ok()?;
        match expression.pipeline.commands.first()?.operands.first()? {
            Operand::String(name) => Some(name.clone()),
            _ => None,
        }
    }

    fn note_defines(&mut self, text: &[u8], template: &Template, file: usize) {
        for (block, own) in template.blocks.iter().enumerate() {
            if let (ActionKind::Define, Some(name)) = (own.kind, Self::define_name(text, template, block)) {
                self.defines.entry(name).or_default().push((file, block));
            }
        }
    }

    fn note_sites(&mut self, text: &[u8], template: &Template, outline: &TemplateOutline, file: usize) {
        let holes: HashMap<usize, usize> = outline
            .nodes
            .iter()
            .enumerate()
            .filter_map(|(node, own)| match own.kind {
                TemplateNodeKind::Hole(token) => Some((token, node)),
                _ => None,
            })
            .collect();
        for (token, own) in template.tokens.iter().enumerate() {
            let Token::Action(action) = own else { continue };
            for (name, direct) in included(text, action) {
                let hole = holes.get(&token).copied().filter(|_| direct);
                self.sites.entry(name).or_default().push(IncludeSite { file, hole });
            }
        }
    }
}

/// Returns the names that an action includes, and whether their text is printed as it is.
pub(crate) fn included(text: &[u8], action: &Action) -> Vec<(String, bool)> {
    let span = action.pipeline(text);
    if span.is_empty() {
        return Vec::new();
    }
    let Ok(expression) = parse_expression(text, span) else { return Vec::new() };
    let mut found = Vec::new();
    if action.kind == ActionKind::Template {
        if let Some(Operand::String(name)) = expression.pipeline.commands[0].operands.first() {
            found.push((name.clone(), true));
        }
        return found;
    }
    let passes = |command: &unstick_yaml::Command| match command.operands.first() {
        Some(Operand::Function(name)) => PASSING.contains(&name.as_str()),
        _ => false,
    };
    let direct = action.kind == ActionKind::Output && expression.pipeline.commands[1..].iter().all(passes);
    let mut open = vec![(&expression.pipeline, direct)];
    while let Some((pipeline, direct)) = open.pop() {
        for (index, command) in pipeline.commands.iter().enumerate() {
            if let [Operand::Function(function), Operand::String(name), ..] = &command.operands[..]
                && function == "include"
            {
                found.push((name.clone(), direct && index == 0));
            }
            let groups = command.operands.iter().filter_map(|operand| match operand {
                Operand::Group(inner, _) => Some((&**inner, false)),
                _ => None,
            });
            open.extend(groups);
        }
    }
    found
}
