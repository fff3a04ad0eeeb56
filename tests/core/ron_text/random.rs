//! Properties of reading and patching, over made-up values in made-up layouts.

use super::*;

/// The paths of a value's parts.
fn paths_in(value: &Value, at: &FieldPath, out: &mut Vec<FieldPath>) {
    out.push(at.clone());
    match value {
        Value::List(items) | Value::Tuple(items) => {
            items.iter().enumerate().for_each(|(i, item)| paths_in(item, &at.index(i), out));
        }
        Value::Struct(fields) => fields.iter().for_each(|(name, value)| paths_in(value, &at.key(name), out)),
        Value::Map(entries) => entries.iter().for_each(|(key, value)| {
            let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
            let mut path = at.clone();
            path.0.push(Seg::Key(key.as_str().into()));
            paths_in(value, &path, out);
        }),
        Value::Tagged(_, content) => paths_in(content, at, out),
        _ => {}
    }
}

proptest! {
    #![proptest_config(cases(700))]

    #[test]
    fn any_layout_is_read(value in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        prop_assert_eq!(parse(&text).unwrap().to_value(), value);
    }

    #[test]
    fn new_text_reads_back(value in any_value()) {
        prop_assert_eq!(parse(&write(&Form::Value(&value))).unwrap().to_value(), value);
    }

    #[test]
    fn the_same_value_changes_no_byte(value in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        prop_assert_eq!(patch(&parse(&text).unwrap(), &Form::Value(&value)).unwrap(), text);
    }

    #[test]
    fn a_patched_text_says_the_new_value(value in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        let new = altered(&value, &TestRng::new(seed ^ 7));
        let result = patch(&parse(&text).unwrap(), &Form::Value(&new)).unwrap();
        let read = parse(&result);
        prop_assert!(read.is_ok(), "{:?}\nfrom:\n{}\nto: {}\nresult:\n{}", read, text, new, result);
        prop_assert_eq!(read.unwrap().to_value(), new, "\nfrom:\n{}\nresult:\n{}", text, result);
        prop_assert!(result.starts_with("// head\n") && result.ends_with(" // tail\n"));
    }

    /// What is read again is what differs; the index is the one of the whole new text all the same.
    #[test]
    fn an_index_follows_the_text(value in any_value(), seed: u64, large in 0_u32..40) {
        let text = laid_out(&value, seed);
        let index = Index::finer(&parse(&text).unwrap(), large);
        let new = altered(&value, &TestRng::new(seed ^ 7));
        let result = patch(&parse(&text).unwrap(), &Form::Value(&new)).unwrap();
        let whole = Index::finer(&parse(&result).unwrap(), large);
        prop_assert_eq!(index.updated(&text, &result).unwrap(), whole, "\nfrom:\n{}\nresult:\n{}", text, result);
    }

    /// A text changed anywhere by anyone is refused or read as if it were read whole.
    #[test]
    fn an_index_follows_any_change(
        value in any_value(), seed: u64, large in 0_u32..40, at in 0.0..1.0_f64, length in 0..12_usize,
        new in "[\\[\\](){}:,\"'#r0-9a-c.x \n/*]{0,6}",
    ) {
        let text = laid_out(&value, seed);
        let index = Index::finer(&parse(&text).unwrap(), large);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let at = (text.len() as f64 * at) as usize;
        let at = (0..=at).rfind(|at| text.is_char_boundary(*at)).unwrap();
        let end = (at..=at + length).rfind(|at| text.is_char_boundary(*at)).unwrap_or(at);
        let result = format!("{}{new}{}", &text[..at], &text[end..]);
        let whole = parse(&result).map(|tree| Index::finer(&tree, large));
        prop_assert_eq!(index.updated(&text, &result), whole, "\nfrom:\n{}\nresult:\n{}", text, result);
    }

    #[test]
    fn places_are_found_without_the_tree(value in any_value(), seed: u64, large in 0_u32..40) {
        let text = laid_out(&value, seed);
        let tree = parse(&text).unwrap();
        let index = Index::finer(&tree, large);
        let mut paths = Vec::new();
        paths_in(&value, &FieldPath::root(), &mut paths);
        for path in paths {
            for path in [path.key("nowhere"), path.index(1), path] {
                for at_key in [false, true] {
                    prop_assert_eq!(index.range_of(&text, &path, at_key), tree.range_of(&path, at_key), "{} in {}", path, text);
                }
            }
        }
    }

    #[test]
    fn a_patched_text_says_any_other_value(value in any_value(), new in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        let result = patch(&parse(&text).unwrap(), &Form::Value(&new)).unwrap();
        prop_assert_eq!(value_of(&result), Ok(new), "\nfrom:\n{}\nresult:\n{}", text, result);
    }

    #[test]
    fn no_bytes_make_the_reader_fall(text in "[\\[\\](){}:,\"'#!r0-9a-e.xX_+ \n\\\\/*-]{0,60}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_characters_make_the_reader_fall(text in "\\PC{0,40}|[\\s\\S]{0,40}") {
        let _ = parse(&text);
    }

    #[test]
    fn a_cut_text_is_refused_or_read(value in any_value(), seed: u64, cut in 0.0..1.0_f64) {
        let text = laid_out(&value, seed);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let mut at = (text.len() as f64 * cut) as usize;
        while !text.is_char_boundary(at) { at -= 1; }
        let _ = parse(&text[..at]);
        let _ = parse(&text[at..]);
    }
}
