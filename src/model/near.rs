//! Suggestions for an unknown name ("did you mean"), in the wording that every message uses.
//!
//! Invariant: what [`mean`] says, [`meant`] reads: a suggestion is one thing to write instead, so it can be made with
//! one click.

/// How many names a list of what there is shows.
const MOST_NAMES: usize = 8;

/// The budget for finding similar names. A project with a hundred thousand unknown names has as many known ones, and no
/// user reads a hundred thousand suggestions.
#[derive(Clone, Debug)]
pub struct Suggestions(usize);

impl Default for Suggestions {
    fn default() -> Self {
        Self(Self::MOST)
    }
}

impl Suggestions {
    /// Candidates that are looked at; one that has to be compared letter by letter counts as `COMPARED`.
    pub const MOST: usize = 10_000_000;
    /// What comparing two names costs beside looking at one.
    const COMPARED: usize = 30;

    /// As [`did_you_mean`], as long as there is effort left.
    pub fn did_you_mean<'a>(&mut self, word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        let lower = word.to_lowercase();
        let (len, letters) = (word.chars().count(), letters(word));
        let mut nearest: Option<(usize, &'a str)> = None;
        for candidate in candidates {
            self.0 = self.0.checked_sub(1)?;
            let other = candidate.chars().count();
            let limit = len.max(other) / 3;
            // A distance is at least the difference in length, and an edit changes at most two letters of the set; most
            // candidates need no more than that.
            let n_others = (letters ^ self::letters(candidate)).count_ones() as usize;
            if len.abs_diff(other) > limit || n_others > 2 * limit {
                continue;
            }
            self.0 = self.0.checked_sub(Self::COMPARED)?;
            let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
            if distance <= limit {
                let found = (distance, candidate);
                nearest = Some(nearest.map_or(found, |nearest| nearest.min(found)));
            }
        }
        nearest.map(|(_, candidate)| candidate)
    }
}

/// Which letters a word has, case aside. Different ones may share a bit; other letters than ASCII have none.
fn letters(word: &str) -> u64 {
    let ascii = word.bytes().filter(u8::is_ascii);
    // Other letters may become ASCII in lowercase.
    let bits = ascii.fold(0, |bits, byte| bits | 1 << (byte.to_ascii_lowercase() % 64));
    bits & !(1 << (b'i' % 64)) & !(1 << (b'k' % 64))
}

/// The candidate nearest to `word`, if one is near enough to have been meant: at most one letter in three is another,
/// however it is capitalized. So a name of one or two letters is near to nothing but itself.
#[must_use]
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    Suggestions(usize::MAX).did_you_mean(word, candidates)
}

/// Advice by a near name.
#[must_use]
pub fn mean(near: Option<&str>) -> Option<String> {
    near.map(|near| format!("did you mean `{near}`?"))
}

/// The name that advice suggests.
#[must_use]
pub fn meant(advice: &str) -> Option<&str> {
    advice.strip_prefix("did you mean `")?.strip_suffix("`?")
}

/// Advice on a word that is none of `known`: the near one, else what there is, as in ``it has `a`, `b` ``. `None` where
/// there is nothing.
#[must_use]
pub fn advice<'a, I: IntoIterator<Item = &'a str>>(word: &str, there_are: &str, known: I) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let list = || (!known.is_empty()).then(|| format!("{there_are} {}", list(&known)));
    mean(did_you_mean(word, known.iter().copied())).or_else(list)
}

/// Advice as the end of a message that has no place of its own for it.
#[must_use]
pub fn after(advice: Option<String>) -> String {
    advice.map(|advice| format!("; {advice}")).unwrap_or_default()
}

/// Names as a sentence lists them; of many the first.
fn list(names: &[&str]) -> String {
    // One more is not worth saying that there is one more.
    let n_shown = if names.len() <= MOST_NAMES + 1 { names.len() } else { MOST_NAMES };
    let shown: Vec<String> = names.iter().take(n_shown).map(|name| format!("`{name}`")).collect();
    let shown = shown.join(", ");
    match names.len() - n_shown {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_near_for_its_length() {
        let table = [
            ("gobln", "goblin", true),
            ("GOBLIN", "goblin", true),
            ("mx", "max", true),
            ("sped", "speed", true),
            ("tiem", "time", true),
            ("", "a", false),
            ("c", "a", false),
            ("n", "d", false),
            ("A", "a", true),
            ("at", "to", false),
            ("ab", "ba", false),
            ("hp", "max", false),
            ("naïve", "naive", true),
            ("wolf", "goblin", false),
            ("\u{212a}nife", "knife", true),
        ];
        for (word, name, is_near) in table {
            assert_eq!(did_you_mean(word, [name]).is_some(), is_near, "{word} {name}");
        }
        assert_eq!(did_you_mean("sped", ["spend", "seed", "speed"]), Some("seed"));
    }

    #[test]
    fn suggestions_for_many_names_cost_no_more_than_so_much() {
        let known: Vec<String> = (0..20_000).map(|i| format!("definition_{i}")).collect();
        let mut effort = Suggestions(1_000_000);
        let mut n_seen = 0;
        let near: Vec<Option<&str>> = (0..20_000)
            .map(|i| {
                let known = known.iter().map(String::as_str).inspect(|_| n_seen += 1);
                effort.did_you_mean(&format!("definitoin_{i}"), known)
            })
            .collect();
        assert_eq!(near[0], Some("definition_0"));
        assert_eq!(near[19_999], None);
        assert!(n_seen < 1_000_000 + 20_000, "{n_seen}");
    }

    #[test]
    fn advice_suggests_or_lists() {
        let advised = |word, known: &[&'static str]| advice(word, "it has", known.iter().copied());
        assert_eq!(advised("sped", &["speed", "jump"]).as_deref(), Some("did you mean `speed`?"));
        assert_eq!(advised("sped", &["speed"]).as_deref().and_then(meant), Some("speed"));
        assert_eq!(advised("zap", &["speed", "jump"]).as_deref(), Some("it has `speed`, `jump`"));
        assert_eq!(advised("zap", &[]), None);
        let many = ["a"; 20];
        assert_eq!(advice("zap", "it has", many).unwrap().matches('`').count(), 16);
        assert!(advice("zap", "it has", many).unwrap().ends_with(" and 12 more"));
        assert!(advice("zap", "it has", ["a"; 9]).unwrap().ends_with("`a`"));
        assert_eq!(after(None), "");
        assert_eq!(after(advice("zap", "there are", ["speed"])), "; there are `speed`");
    }
}
