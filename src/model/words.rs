//! Small things that every message needs: how many there are, a sentence's capital, a text cut short.

/// So many of them: `1 file`, `3 files`.
#[must_use]
pub fn counted(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// A message as a sentence begins. The name of a file or somebody's word in front is not ours to capitalize.
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
        for (text, said) in table {
            assert_eq!(sentence(text), said);
        }
        assert_eq!([shortened("añb", 2), shortened("añ", 2)], ["añ…", "añ"]);
    }
}
