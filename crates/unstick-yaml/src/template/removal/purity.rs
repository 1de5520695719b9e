//! Tells which expressions do nothing but give a value.

use crate::Span;
use crate::template::action::{Action, ActionKind};
use crate::template::expression::parse_expression;
use crate::template::tree::Template;

/// Functions of Go's templates, Sprig and Helm that change nothing and fail for no value that a chart would give them.
const PURE: &[&str] = &[
    "and",
    "or",
    "not",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "len",
    "index",
    "default",
    "empty",
    "coalesce",
    "ternary",
    "all",
    "any",
    "hasKey",
    "has",
    "get",
    "dig",
    "keys",
    "kindIs",
    "kindOf",
    "typeIs",
    "typeOf",
    "list",
    "dict",
    "tuple",
    "quote",
    "squote",
    "lower",
    "upper",
    "trim",
    "trimSuffix",
    "trimPrefix",
    "trimAll",
    "trunc",
    "toString",
    "toStrings",
    "int",
    "int64",
    "float64",
    "atoi",
    "add",
    "add1",
    "sub",
    "mul",
    "max",
    "min",
    "until",
    "untilStep",
    "seq",
    "contains",
    "hasPrefix",
    "hasSuffix",
    "replace",
    "printf",
    "print",
    "println",
    "semverCompare",
    "toYaml",
    "toJson",
    "omit",
    "pick",
    "first",
    "last",
    "rest",
    "initial",
    "without",
    "concat",
    "append",
    "prepend",
    "uniq",
    "compact",
    "split",
    "splitList",
    "join",
    "sortAlpha",
    "regexMatch",
    "isAbs",
    "base",
    "dir",
    "cat",
    "deepCopy",
    "deepEqual",
    "nindent",
    "indent",
    "toPrettyJson",
    "b64enc",
    "sha256sum",
    "camelcase",
    "kebabcase",
    "snakecase",
    "title",
    "slice",
    "values",
];

/// Functions that change what they are given, for all who hold it.
const MUTATING: &[&str] = &["set", "unset", "merge", "mergeOverwrite", "mustMerge", "mustMergeOverwrite"];

/// Tells whether a header's expression does nothing but give a value.
pub(super) fn is_pure_header(text: &[u8], template: &Template, token: usize) -> bool {
    template.action(token).is_some_and(|action| match action.kind {
        ActionKind::Else => true,
        _ => is_pure(text, action),
    })
}

/// Tells whether an action's expression does nothing but give a value.
pub(super) fn is_pure(text: &[u8], action: &Action) -> bool {
    parse_expression(text, action.pipeline(text)).is_ok_and(|expression| {
        let sets = expression.declaration.as_ref().is_some_and(|declaration| !declaration.new);
        !sets && expression.pipeline.functions().iter().all(|name| PURE.contains(name))
    })
}

/// Functions that end the rendering for some values: by intent, by the types that they take, or by what they call.
const FAILING: &[&str] = &[
    "required",
    "fail",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "index",
    "slice",
    "include",
    "tpl",
    "semverCompare",
    "hasKey",
    "get",
    "dig",
    "omit",
    "pick",
    "keys",
    "values",
    "len",
    "splitList",
    "regexMatch",
    "first",
    "last",
];

/// Fields in a row, `.Values` included, of which the ones before the last may well be missing.
const DEEP_CHAIN: usize = 4;

/// Tells whether an action's expression fails for some values.
pub(super) fn may_fail(text: &[u8], action: &Action) -> bool {
    let span = action.pipeline(text);
    let Ok(expression) = parse_expression(text, span) else { return !span.is_empty() };
    expression.pipeline.functions().iter().any(|name| FAILING.contains(name))
        || expression.pipeline.longest_chain() >= DEEP_CHAIN
}

/// Tells whether an action inside the span sets an outer variable or changes a map.
pub(super) fn sets_something(text: &[u8], template: &Template, span: Span) -> bool {
    let first = template.tokens.partition_point(|token| token.span().end <= span.start);
    let inside = template.tokens[first..].iter().take_while(|token| token.span().start < span.end);
    inside
        .filter_map(|token| match token {
            crate::template::lexer::Token::Action(action) => Some(action),
            crate::template::lexer::Token::Text(_) => None,
        })
        .any(|action| action.kind == ActionKind::Assign || mutates(text, action))
}

fn mutates(text: &[u8], action: &Action) -> bool {
    let span = action.pipeline(text);
    !span.is_empty()
        && parse_expression(text, span)
            .is_ok_and(|expression| expression.pipeline.functions().iter().any(|name| MUTATING.contains(name)))
}
