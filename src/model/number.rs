//! Numbers as text, read and written in one way by files, cells, fields and the command line.
//!
//! Invariant: what [`float_text`](super::float_text) writes, [`read_number`] reads as the very same number, and no text
//! is read as infinity or NaN. How a file spells a number that has not changed is kept by `io::ron_text`.

use std::borrow::Cow;

use super::Value;

/// Why a text is no number that data can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadNumber {
    /// It is not spelled as a number.
    Form,
    /// It is larger than numbers go.
    Range,
    /// It is whole, and larger than whole numbers go.
    Int,
}

/// A number as RON spells it: `12`, `-1_000`, `0x1F`, `0b101`, `0o17`, `1.50`, `.5`, `1e-3`. Spaces and suffixes are
/// not of it.
///
/// # Errors
/// Why it is none.
pub fn read_number(text: &str) -> Result<Value, BadNumber> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let radix = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => Some(16),
        [b'0', b'b' | b'B', ..] => Some(2),
        [b'0', b'o' | b'O', ..] => Some(8),
        _ => None,
    };
    let body = if radix.is_some() { &digits[2..] } else { digits };
    let clean: Cow<'_, str> = if body.contains('_') { body.replace('_', "").into() } else { body.into() };
    if !body.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.') || clean.is_empty() {
        return Err(BadNumber::Form);
    }
    if radix.is_some() || clean.bytes().all(|b| b.is_ascii_digit()) {
        let radix = radix.unwrap_or(10);
        if !clean.chars().all(|c| c.is_digit(radix)) {
            return Err(BadNumber::Form);
        }
        let size = i128::from_str_radix(&clean, radix).map_err(|_| BadNumber::Int)?;
        return i64::try_from(if negative { -size } else { size }).map(Value::Int).map_err(|_| BadNumber::Int);
    }
    // Rust reads `1.`, `.5` and `1e3`, and also words, which have been refused by now unless digits come first.
    if !clean.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-')) {
        return Err(BadNumber::Form);
    }
    let size: f64 = clean.parse().map_err(|_| BadNumber::Form)?;
    if !size.is_finite() {
        return Err(BadNumber::Range);
    }
    Ok(Value::Float(if negative { -size } else { size }))
}

/// A number as messages have it: plain, and by its exponent where it has many digits.
#[must_use]
pub fn short_number(x: f64) -> String {
    if x == 0.0 || (1e-6..1e15).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::float_text;

    #[test]
    fn numbers_in_messages_are_short() {
        for (x, text) in
            [(5.0, "5"), (0.5, "0.5"), (-120.25, "-120.25"), (0.0, "0"), (1e300, "1e300"), (-2.5e-9, "-2.5e-9")]
        {
            assert_eq!(short_number(x), text);
        }
    }

    #[test]
    fn numbers_are_read_as_ron_spells_them() {
        let (int, float) = (|i| Ok(Value::Int(i)), |x| Ok(Value::Float(x)));
        let table = [
            ("0", int(0)),
            ("+7", int(7)),
            ("-3", int(-3)),
            ("1_000", int(1000)),
            ("0x10", int(16)),
            ("-0XfF", int(-255)),
            ("0b101", int(5)),
            ("0o17", int(15)),
            ("9223372036854775807", int(i64::MAX)),
            ("-9223372036854775808", int(i64::MIN)),
            ("1.50", float(1.5)),
            ("1.", float(1.0)),
            (".5", float(0.5)),
            ("-.5", float(-0.5)),
            ("1e3", float(1000.0)),
            ("1E-3", float(0.001)),
            ("1_000.5", float(1000.5)),
            ("-0.0", float(-0.0)),
            ("1e300", float(1e300)),
            ("20.00000000001", float(20.000_000_000_01)),
            ("1e999", Err(BadNumber::Range)),
            ("-1e999", Err(BadNumber::Range)),
            ("9223372036854775808", Err(BadNumber::Int)),
            ("0x8000000000000000", Err(BadNumber::Int)),
            ("", Err(BadNumber::Form)),
            ("-", Err(BadNumber::Form)),
            ("_1", Err(BadNumber::Form)),
            ("0x", Err(BadNumber::Form)),
            ("0xG", Err(BadNumber::Form)),
            ("0b2", Err(BadNumber::Form)),
            ("1.2.3", Err(BadNumber::Form)),
            ("12px", Err(BadNumber::Form)),
            ("1f32", Err(BadNumber::Form)),
            ("inf", Err(BadNumber::Form)),
            ("NaN", Err(BadNumber::Form)),
            ("--1", Err(BadNumber::Form)),
            (" 1", Err(BadNumber::Form)),
            ("1,5", Err(BadNumber::Form)),
            ("٣", Err(BadNumber::Form)),
        ];
        for (text, number) in table {
            assert_eq!(read_number(text), number, "{text}");
        }
    }

    #[test]
    fn numbers_are_written_with_a_dot_and_read_back() {
        let table = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.5, "1.5"),
            (1000.0, "1000.0"),
            (20.000_000_000_01, "20.00000000001"),
            (1e300, "1.0e300"),
            (1e-7, "1.0e-7"),
            (1.5e300, "1.5e300"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (f64::MAX, "1.7976931348623157e308"),
        ];
        for (x, text) in table {
            assert_eq!(float_text(x), text);
            let Ok(Value::Float(read)) = read_number(text) else { panic!("{text}") };
            assert_eq!(read.to_bits(), x.to_bits(), "{text}");
        }
    }
}
