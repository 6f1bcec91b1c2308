//! How much room text takes, without a font at hand: widths of Helvetica, a
//! little more to be safe, and of wide characters more than enough.

/// The width of a text in a sans-serif font of a size.
pub(super) fn width(text: &str, font_size: f64) -> f64 {
    text.chars().map(width_of).sum::<f64>() * font_size
}

fn width_of(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.33,
        'f' | 't' | 'r' | 'I' | ' ' | '-' | '(' | ')' | '[' | ']' | '/' => 0.4,
        'm' | 'M' | 'W' | '%' | '@' | '…' => 0.98,
        'w' => 0.8,
        'A'..='Z' | '+' | '=' | '<' | '>' | '~' | '&' | '_' => 0.74,
        '\0'..='\u{24f}' => 0.62,
        _ => 1.05,
    }
}

/// The text as it has to be written in XML; what XML cannot say is
/// replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => {
                result.push('\u{fffd}');
            }
            other => result.push(other),
        }
    }
    result
}
