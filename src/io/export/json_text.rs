//! JSON that is easy to read and to compare: objects and lists over several lines, but a list of plain
//! values on one. A level's rows of tiles stay rows.

use serde_json::Value;

/// The text of a value, with a line end.
#[must_use]
pub(super) fn write(value: &Value) -> String {
    let mut out = String::new();
    put(&mut out, value, 0);
    out.push('\n');
    out
}

fn put(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Array(items) if !items.iter().all(is_plain) => {
            brackets(out, ['[', ']'], items, depth, |out, item| put(out, item, depth + 1));
        }
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                put(out, item, depth);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            brackets(out, ['{', '}'], fields, depth, |out, (name, value)| {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push_str(": ");
                put(out, value, depth + 1);
            });
        }
        plain => out.push_str(&plain.to_string()),
    }
}

fn is_plain(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

fn brackets<I: IntoIterator>(
    out: &mut String,
    [open, close]: [char; 2],
    items: I,
    depth: usize,
    mut put: impl FnMut(&mut String, I::Item),
) {
    out.push(open);
    let mut is_empty = true;
    for item in items {
        out.push_str(if is_empty { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        put(out, item);
        is_empty = false;
    }
    if !is_empty {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    }
    out.push(close);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn plain_lists_stay_on_a_line_and_everything_reads_back() {
        let value =
            json!({ "rows": [[1, -1], [2.5, "a\"b"]], "none": [], "empty": {}, "deep": { "x": [{ "y": null }] } });
        let text = super::write(&value);
        assert!(text.contains("\n    [1, -1],\n    [2.5, \"a\\\"b\"]\n"), "{text}");
        assert!(text.contains("\"none\": []") && text.contains("\"empty\": {}"));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
