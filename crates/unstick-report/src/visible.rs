//! Text from manifests and file names, made safe to show.

/// Returns a text in which control characters are pictures and a tab is one blank.
///
/// Characters that a reader cannot see, or that turn the direction of the text, become U+FFFD. Neither a manifest nor
/// a file's name can then speak to the terminal or hide what it says.
///
/// ```
/// assert_eq!(unstick_report::visible("a\tb\u{1b}[2J"), "a b\u{241b}[2J");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars().map(visible_character).collect()
}

pub(crate) fn visible_character(character: char) -> char {
    match character {
        '\t' => ' ',
        '\0'..='\u{1F}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('?'),
        '\u{7F}' => '\u{2421}',
        '\u{80}'..='\u{9F}'
        | '\u{AD}'
        | '\u{61C}'
        | '\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}' => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}
