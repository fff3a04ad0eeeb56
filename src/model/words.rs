//! Small things that every message needs: how many there are, a sentence's capital, a text cut short.

/// So many of them: `1 file`, `3 files`.
#[must_use]
pub fn counted(n: usize, one: &str) -> String {
    match one.strip_suffix('y') {
        _ if n == 1 => format!("1 {one}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{n} {stem}ies"),
        _ => format!("{n} {one}s"),
    }
}

/// So many of them and what they do, the verb for one and for several: `1 definition has`, `3 definitions have`.
#[must_use]
pub fn counted_doing(n: usize, one: &str, verb: [&str; 2]) -> String {
    format!("{} {}", counted(n, one), verb[usize::from(n != 1)])
}

/// A message as a sentence begins. A file name or quoted text at the start is not capitalized.
#[must_use]
pub fn sentence(text: &str) -> String {
    let first_word = text.split(' ').next().unwrap_or_default();
    if first_word.contains(['/', '.', '`', '“']) { text.to_owned() } else { capitalized(text) }
}

/// A text with its first letter large.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A text, or the first `most` characters of it.
#[must_use]
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or(text)),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_put_as_people_put_them() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "file")), ["0 files", "1 file", "2 files"]);
        let table = [
            ("there is no goblin", "There is no goblin"),
            ("`goblin` is gone", "`goblin` is gone"),
            ("entities/a.ron is gone", "entities/a.ron is gone"),
            ("élan", "Élan"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(sentence(text), expected);
        }
        assert_eq!([shortened("añb", 2), shortened("añ", 2)], ["añ…", "añ"]);
    }
}

#[cfg(test)]
mod counted_tests {
    use super::{counted, counted_doing};

    #[test]
    fn texts_agree_in_number() {
        assert_eq!(counted(1, "entity"), "1 entity");
        assert_eq!(counted(2, "entity"), "2 entities");
        assert_eq!(counted(0, "key"), "0 keys");
        assert_eq!(counted_doing(1, "definition", ["has", "have"]), "1 definition has");
        assert_eq!(counted_doing(2, "definition", ["has", "have"]), "2 definitions have");
    }
}
