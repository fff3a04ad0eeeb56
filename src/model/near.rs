//! What somebody probably meant by a name that means nothing, in the words every message says it in.
//!
//! Invariant: what [`mean`] says, [`meant`] reads: a suggestion is one thing to write instead, so it can be made with one click.

/// How many names a list of what there is shows.
const MOST_NAMES: usize = 8;

/// The candidate nearest to `word`, if one is near enough to have been meant: at most one letter in three is another, however
/// it is capitalized. So a name of one or two letters is near to nothing but itself.
#[must_use]
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let len = word.chars().count();
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = candidate.chars().count();
            let limit = len.max(other) / 3;
            // A distance is at least the difference in length; most candidates need no more than that.
            let distance = || strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
            let distance = (len.abs_diff(other) <= limit).then(distance)?;
            (distance <= limit).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
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

/// Advice on a word that is none of `known`: the near one, else what there is, as in ``it has `a`, `b` ``. `None` where there is
/// nothing.
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
        ];
        for (word, name, is_near) in table {
            assert_eq!(did_you_mean(word, [name]).is_some(), is_near, "{word} {name}");
        }
        assert_eq!(did_you_mean("sped", ["spend", "seed", "speed"]), Some("seed"));
    }

    #[test]
    fn advice_suggests_or_lists() {
        let said = |word, known: &[&'static str]| advice(word, "it has", known.iter().copied());
        assert_eq!(said("sped", &["speed", "jump"]).as_deref(), Some("did you mean `speed`?"));
        assert_eq!(said("sped", &["speed"]).as_deref().and_then(meant), Some("speed"));
        assert_eq!(said("zap", &["speed", "jump"]).as_deref(), Some("it has `speed`, `jump`"));
        assert_eq!(said("zap", &[]), None);
        let many = ["a"; 20];
        assert_eq!(advice("zap", "it has", many).unwrap().matches('`').count(), 16);
        assert!(advice("zap", "it has", many).unwrap().ends_with(" and 12 more"));
        assert!(advice("zap", "it has", ["a"; 9]).unwrap().ends_with("`a`"));
        assert_eq!(after(None), "");
        assert_eq!(after(advice("zap", "there are", ["speed"])), "; there are `speed`");
    }
}
