//! What the expressions of affinity values print, and how they are made to print None for ClientIP.

use unstick_yaml::{Action, Command, Operand, Pipeline, Span, parse_expression};

use crate::affinity::{CLIENT_IP, NONE};

/// Functions that tell whether values are alike: a word in them may be what is compared with, and is not printed.
const COMPARISONS: [&str; 4] = ["eq", "ne", "has", "contains"];

/// Tells whether an action compares values.
pub(crate) fn compares(text: &[u8], action: &Action) -> bool {
    parse_expression(text, action.pipeline(text))
        .is_ok_and(|expression| expression.pipeline.functions().iter().any(|name| COMPARISONS.contains(name)))
}

/// Tells whether an action prints ClientIP for no values: it has the form that [`without_client_ip`] writes, or prints
/// other constants only.
pub(crate) fn is_never_sticky(text: &[u8], action: &Action) -> bool {
    let Ok(expression) = parse_expression(text, action.pipeline(text)) else { return false };
    let sticky = |words: Vec<&str>| {
        words.iter().any(|word| memchr::memmem::find(word.as_bytes(), CLIENT_IP.as_bytes()).is_some())
    };
    is_switched_off(&expression.pipeline) || constants(&expression.pipeline).is_some_and(|words| !sticky(words))
}

/// Returns the edits after which an action prints None for ClientIP, and all else as before; `None` where it cannot be
/// read. `words` are the strings in it that are ClientIP.
pub(crate) fn without_client_ip(text: &[u8], action: &Action, words: &[Span]) -> Option<Vec<(Span, Vec<u8>)>> {
    let expression = parse_expression(text, action.pipeline(text)).ok()?;
    if expression.declaration.is_some() {
        return None;
    }
    let whole = expression.pipeline.span;
    let words: Vec<(Span, Vec<u8>)> = words.iter().map(|word| (*word, NONE.as_bytes().to_vec())).collect();
    if constants(&expression.pipeline).is_some() && !words.is_empty() {
        return Some(words);
    }
    let mut source = Vec::new();
    let mut copied = whole.start;
    for (word, none) in words {
        source.extend_from_slice(Span::new(copied, word.start).slice(text));
        source.extend(none);
        copied = word.end;
    }
    source.extend_from_slice(Span::new(copied, whole.end).slice(text));
    let source = String::from_utf8(source).ok()?;
    let (value, quote) = match source.rsplit_once('|').map(|(value, last)| (value.trim(), last.trim())) {
        Some((value, last @ ("quote" | "squote"))) => (value.to_owned(), format!(" | {last}")),
        _ => (source, String::new()),
    };
    let text = format!("ternary \"{NONE}\" ({value}) (eq (toString ({value})) \"{CLIENT_IP}\"){quote}");
    Some(vec![(whole, text.into_bytes())])
}

/// Tells whether a pipeline is `ternary "None" (…) (eq (…) "ClientIP")`, perhaps quoted.
fn is_switched_off(pipeline: &Pipeline) -> bool {
    let is = |operand: &Operand, word: &str| matches!(operand, Operand::String(text) if text == word);
    let [Operand::Function(ternary), none, Operand::Group(..), Operand::Group(test, _)] =
        &pipeline.commands[0].operands[..]
    else {
        return false;
    };
    let tests = matches!(&test.commands[..], [Command { operands }] if matches!(&operands[..],
        [Operand::Function(eq), Operand::Group(..), word] if eq == "eq" && is(word, CLIENT_IP)));
    ternary == "ternary" && is(none, NONE) && tests && pipeline.commands[1..].iter().all(quotes)
}

fn quotes(command: &Command) -> bool {
    matches!(&command.operands[..], [Operand::Function(name)] if is_quote(name))
}

fn is_quote(function: &str) -> bool {
    matches!(function, "quote" | "squote")
}

/// Returns the words of which a pipeline prints one, where it can print nothing else; quotes are left out.
fn constants(pipeline: &Pipeline) -> Option<Vec<&str>> {
    printed(&pipeline.commands)
}

fn printed(commands: &[Command]) -> Option<Vec<&str>> {
    let (last, before) = commands.split_last()?;
    match (&last.operands[..], before.is_empty()) {
        (_, false) if quotes(last) => printed(before),
        ([Operand::Function(name), word], false) if name == "default" => {
            Some([constant(word)?, printed(before)?].concat())
        }
        ([Operand::Function(name), yes, no], false) if name == "ternary" => either(yes, no),
        ([Operand::Function(name), yes, no, _], true) if name == "ternary" => either(yes, no),
        ([Operand::Function(name), first, second], true) if name == "default" => either(first, second),
        ([Operand::Function(name), word], true) if is_quote(name) => constant(word),
        ([word], true) => constant(word),
        _ => None,
    }
}

fn either<'a>(first: &'a Operand, second: &'a Operand) -> Option<Vec<&'a str>> {
    Some([constant(first)?, constant(second)?].concat())
}

fn constant(operand: &Operand) -> Option<Vec<&str>> {
    match operand {
        Operand::String(text) => Some(vec![text]),
        Operand::Group(pipeline, fields) if fields.is_empty() => constants(pipeline),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use unstick_yaml::Span;

    use super::*;

    fn words(text: &str) -> Option<Vec<String>> {
        let expression = parse_expression(text.as_bytes(), Span::new(0, text.len())).expect("an expression");
        constants(&expression.pipeline).map(|words| words.into_iter().map(str::to_owned).collect())
    }

    #[test]
    fn words_are_all_that_can_be_printed() {
        for (text, expected) in [
            ("\"a\"", &["a"][..]),
            ("\"a\" | quote", &["a"]),
            ("quote \"a\"", &["a"]),
            ("ternary \"a\" \"b\" .Values.x", &["a", "b"]),
            (".Values.x | ternary \"a\" \"b\"", &["a", "b"]),
            ("eq .Values.x \"c\" | ternary \"a\" \"b\" | quote", &["a", "b"]),
            ("ternary (default \"a\" \"b\") (\"c\") $x", &["a", "b", "c"]),
            ("\"a\" | default \"b\"", &["b", "a"]),
        ] {
            assert_eq!(
                words(text).as_deref(),
                Some(&expected.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()[..]),
                "{text}"
            );
        }
    }

    #[test]
    fn what_values_print_has_no_words() {
        for text in [
            ".Values.x",
            "default \"a\" .Values.x",
            ".Values.x | default \"a\"",
            "ternary \"a\" .Values.x true",
            ".Values.x | ternary \"a\" | quote",
            "print \"a\" \"b\"",
            "\"a\" | upper",
            "(ternary \"a\" \"b\" true).c",
            ".Values.x | ternary \"a\" \"b\" | upper",
        ] {
            assert_eq!(words(text), None, "{text}");
        }
    }
}
