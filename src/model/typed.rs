//! What people type where a number or a pair of numbers stands: a value, a calculation, or an operation on the value
//! that is there. One reader for fields, sliders, table cells and pasted cells.
//!
//! Invariant: what a field shows of a number reads as that number: a sign alone makes a number negative, it subtracts
//! nothing. No text reads as infinity or NaN.

use super::{BadNumber, OpKind, Value, read_number};

/// What a typed text means.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// This value.
    Value(Value),
    /// [`OpKind::Scale`] or [`OpKind::Add`] with an operand, on the value that is there.
    Operation(OpKind, Value),
}

impl Typed {
    /// Whether it is meant for both components of a pair, each in its own way.
    #[must_use]
    pub fn is_pair(&self) -> bool {
        let (Self::Value(value) | Self::Operation(_, value)) = self;
        matches!(value, Value::Tuple(_))
    }
}

/// What can be typed, for messages.
const FORMS: &str = "type one, as 12.5, or ×2, 50%, +5, -=5, =8*2";

/// Read what was typed for a number; its unit may stand behind it.
///
/// A number is as files spell it. `=8*2` is a calculation with `+ - * / ( )`. `×2`, `*2`, `x2` and `/2` scale, `50%` is
/// `×0.5`, `+10%` is `×1.1` and `-10%` is `×0.9`; `+5`, `+=5` and `-=5` add. What follows a sign may be a calculation.
///
/// # Errors
/// Says what cannot be read, and what can be typed.
pub fn read_typed(text: &str, unit: Option<&str>) -> Result<Typed, String> {
    read(text, unit, Shape::Number)
}

/// Read what was typed for a pair of numbers: `(8, 16)`, with or without parentheses. `×2` scales both, `×(2, 1)` each
/// by its own, `+(5, 0)` adds.
///
/// # Errors
/// Says what cannot be read, and what can be typed.
pub fn read_typed_pair(text: &str, unit: Option<&str>) -> Result<Typed, String> {
    read(text, unit, Shape::Pair)
}

/// A number that was typed where there is none to operate on: a number, or a calculation.
#[must_use]
pub fn typed_number(text: &str) -> Option<f64> {
    match read_typed(text, None).ok()? {
        Typed::Value(value) => value.as_f64(),
        Typed::Operation(..) => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Number,
    Pair,
}

/// Why a text cannot be read.
enum Bad {
    Form,
    Range,
    Int,
    DividedByZero,
}

impl From<BadNumber> for Bad {
    fn from(bad: BadNumber) -> Self {
        match bad {
            BadNumber::Form => Self::Form,
            BadNumber::Range => Self::Range,
            BadNumber::Int => Self::Int,
        }
    }
}

fn read(text: &str, unit: Option<&str>, shape: Shape) -> Result<Typed, String> {
    let shown = text.trim();
    let plain = shown.replace('−', "-");
    let unit = unit.filter(|unit| !unit.is_empty());
    let bare = unit.and_then(|unit| plain.strip_suffix(unit)).map_or(plain.as_str(), str::trim_end);
    meaning(bare, shape).map_err(|bad| match bad {
        Bad::DividedByZero => format!("`{shown}` divides by zero"),
        Bad::Range => format!("`{shown}` is larger than numbers go"),
        Bad::Int => format!("`{shown}` is larger than whole numbers go"),
        Bad::Form if shape == Shape::Pair => {
            format!("`{shown}` is not a pair of numbers; type one, as (8, 16), or ×2, ×(2, 1), 50%, +(5, 0)")
        }
        Bad::Form if shown.contains(',') => {
            format!("`{shown}` is not a number; write it with a point and without spaces")
        }
        Bad::Form => format!("`{shown}` is not a number; {FORMS}"),
    })
}

fn meaning(text: &str, shape: Shape) -> Result<Typed, Bad> {
    let after = |signs: &[&str]| signs.iter().find_map(|sign| text.strip_prefix(sign)).map(str::trim);
    if let Some(factor) = percentage(text) {
        return Ok(Typed::Operation(OpKind::Scale, finite(factor)?));
    }
    if let Some(text) = after(&["="]) {
        return shaped(text, shape).map(Typed::Value);
    }
    if let Some(text) = after(&["×=", "*=", "×", "*", "x", "X"]) {
        return Ok(Typed::Operation(OpKind::Scale, one_or_shaped(text, shape)?));
    }
    if let Some(text) = after(&["/=", "÷=", "/", "÷"]) {
        let inverse = |value: Value| match value.as_f64() {
            Some(0.0) => Err(Bad::DividedByZero),
            Some(divisor) => finite(1.0 / divisor),
            None => Err(Bad::Form),
        };
        let factor = match one_or_shaped(text, shape)? {
            Value::Tuple(items) => Value::Tuple(items.into_iter().map(inverse).collect::<Result<_, _>>()?),
            one => inverse(one)?,
        };
        return Ok(Typed::Operation(OpKind::Scale, factor));
    }
    if let Some(text) = after(&["-="]) {
        let negative = |value: &Value| combined('-', &Value::Int(0), value);
        let summand = match shaped(text, shape)? {
            Value::Tuple(items) => Value::Tuple(items.iter().map(negative).collect::<Result<_, _>>()?),
            one => negative(&one)?,
        };
        return Ok(Typed::Operation(OpKind::Add, summand));
    }
    if let Some(text) = after(&["+=", "+"]) {
        return Ok(Typed::Operation(OpKind::Add, shaped(text, shape)?));
    }
    match shape {
        Shape::Number => Ok(Typed::Value(read_number(text)?)),
        Shape::Pair => {
            let number = |text: &str| read_number(text).map_err(Bad::from);
            let [x, y] = pair(text).ok_or(Bad::Form)?;
            Ok(Typed::Value(Value::Tuple(vec![number(x)?, number(y)?])))
        }
    }
}

/// The factor that `50%`, `+10%`, `+=10%` or `-10%` means.
fn percentage(text: &str) -> Option<f64> {
    let percent = text.strip_suffix('%')?.trim_end();
    let after = |sign: char| percent.strip_prefix(sign).map(|rest| rest.strip_prefix('=').unwrap_or(rest));
    let (base, sign, size) = match (after('+'), after('-')) {
        (Some(size), _) => (100.0, 1.0, size),
        (_, Some(size)) => (100.0, -1.0, size),
        _ => (0.0, 1.0, percent),
    };
    let size = read_number(size.trim_start()).ok()?.as_f64()?;
    Some((base + sign * size) / 100.0)
}

/// A calculation for a number, two for a pair.
fn shaped(text: &str, shape: Shape) -> Result<Value, Bad> {
    match shape {
        Shape::Number => calculated(text),
        Shape::Pair => {
            let [x, y] = pair(text).ok_or(Bad::Form)?;
            Ok(Value::Tuple(vec![calculated(x)?, calculated(y)?]))
        }
    }
}

/// One number may scale a pair.
fn one_or_shaped(text: &str, shape: Shape) -> Result<Value, Bad> {
    if shape == Shape::Pair && pair(text).is_none() { calculated(text) } else { shaped(text, shape) }
}

/// The two texts of a pair.
fn pair(text: &str) -> Option<[&str; 2]> {
    let is_whole = |inside: &&str| {
        let mut depth = 0;
        inside.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        })
    };
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).filter(is_whole).unwrap_or(text);
    let (x, y) = inside.split_once(',')?;
    (!y.contains(',')).then_some([x.trim(), y.trim()])
}

fn finite(x: f64) -> Result<Value, Bad> {
    if x.is_finite() { Ok(Value::Float(x)) } else { Err(Bad::Range) }
}

/// The value of a calculation.
fn calculated(text: &str) -> Result<Value, Bad> {
    let mut rest = text;
    let value = sum(&mut rest, 0)?;
    if rest.trim_start().is_empty() { Ok(value) } else { Err(Bad::Form) }
}

/// The next sign of a calculation, if it is one of these.
fn sign(rest: &mut &str, signs: &[(char, char)]) -> Option<char> {
    let mut chars = rest.trim_start().chars();
    let first = chars.next()?;
    let (_, means) = signs.iter().find(|(sign, _)| *sign == first)?;
    *rest = chars.as_str();
    Some(*means)
}

fn sum(rest: &mut &str, depth: usize) -> Result<Value, Bad> {
    let mut value = product(rest, depth)?;
    while let Some(op) = sign(rest, &[('+', '+'), ('-', '-')]) {
        value = combined(op, &value, &product(rest, depth)?)?;
    }
    Ok(value)
}

fn product(rest: &mut &str, depth: usize) -> Result<Value, Bad> {
    let mut value = factor(rest, depth)?;
    let signs = [('*', '*'), ('×', '*'), ('x', '*'), ('X', '*'), ('/', '/'), ('÷', '/')];
    while let Some(op) = sign(rest, &signs) {
        value = combined(op, &value, &factor(rest, depth)?)?;
    }
    Ok(value)
}

fn factor(rest: &mut &str, depth: usize) -> Result<Value, Bad> {
    /// Parentheses and signs inside each other.
    const DEEPEST: usize = 64;
    if depth > DEEPEST {
        return Err(Bad::Form);
    }
    match sign(rest, &[('-', '-'), ('+', '+'), ('(', '(')]) {
        Some('-') => combined('-', &Value::Int(0), &factor(rest, depth + 1)?),
        Some('+') => factor(rest, depth + 1),
        Some(_) => {
            let value = sum(rest, depth + 1)?;
            sign(rest, &[(')', ')')]).map(|_| value).ok_or(Bad::Form)
        }
        None => {
            let text = rest.trim_start();
            let value = read_number(&text[..number_len(text)])?;
            *rest = &text[number_len(text)..];
            match sign(rest, &[('%', '%')]) {
                Some(_) => combined('/', &value, &Value::Float(100.0)),
                None => Ok(value),
            }
        }
    }
}

/// How much of a text is a number: up to what cannot be part of one; a sign belongs to it behind an `e`.
fn number_len(text: &str) -> usize {
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let mut before = None;
    for (at, c) in text.char_indices() {
        let is_part = match c {
            '0'..='9' | '.' | '_' => true,
            'x' | 'X' => is_hex && at == 1,
            '+' | '-' => !is_hex && matches!(before, Some('e' | 'E')),
            c => c.is_ascii_alphabetic(),
        };
        if !is_part {
            return at;
        }
        before = Some(c);
    }
    text.len()
}

/// Two numbers as one; whole ones stay whole where the result is.
fn combined(op: char, a: &Value, b: &Value) -> Result<Value, Bad> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        let whole = match op {
            '+' => a.checked_add(*b),
            '-' => a.checked_sub(*b),
            '*' => a.checked_mul(*b),
            _ => a.checked_rem(*b).filter(|rest| *rest == 0).and_then(|_| a.checked_div(*b)),
        };
        if let Some(whole) = whole {
            return Ok(Value::Int(whole));
        }
    }
    let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) else { return Err(Bad::Form) };
    match op {
        '+' => finite(a + b),
        '-' => finite(a - b),
        '*' => finite(a * b),
        _ if b == 0.0 => Err(Bad::DividedByZero),
        _ => finite(a / b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(x: f64) -> Result<Typed, &'static str> {
        Ok(Typed::Value(Value::Float(x)))
    }

    fn int(i: i64) -> Result<Typed, &'static str> {
        Ok(Typed::Value(Value::Int(i)))
    }

    fn scale(x: impl Into<Value>) -> Result<Typed, &'static str> {
        Ok(Typed::Operation(OpKind::Scale, x.into()))
    }

    fn add(x: impl Into<Value>) -> Result<Typed, &'static str> {
        Ok(Typed::Operation(OpKind::Add, x.into()))
    }

    fn check(table: &[(&str, Result<Typed, &str>)], read: impl Fn(&str) -> Result<Typed, String>) {
        for (text, meaning) in table {
            match (read(text), meaning) {
                (Ok(read), Ok(meaning)) => assert_eq!(read, *meaning, "{text}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{text}: {why}"),
                (read, _) => panic!("{text}: {read:?}"),
            }
        }
    }

    #[test]
    fn what_is_typed_for_a_number() {
        let table = [
            ("12", int(12)),
            (" 12.5 ", float(12.5)),
            ("-5", int(-5)),
            ("−5", int(-5)),
            ("1_000", int(1000)),
            ("0x10", int(16)),
            ("1e3", float(1000.0)),
            ("12 px", int(12)),
            ("12px", int(12)),
            ("×2", scale(2_i64)),
            ("*2", scale(2_i64)),
            ("x2", scale(2_i64)),
            ("X 2", scale(2_i64)),
            ("x0.5", scale(0.5)),
            ("×50%", scale(0.5)),
            ("×-1", scale(-1_i64)),
            ("*=2", scale(2_i64)),
            ("x2px", scale(2_i64)),
            ("×(1+2)", scale(3_i64)),
            ("/2", scale(0.5)),
            ("÷ 4", scale(0.25)),
            ("/=2", scale(0.5)),
            ("50%", scale(0.5)),
            ("110 %", scale(1.1)),
            ("+10%", scale(1.1)),
            ("-10%", scale(0.9)),
            ("+=10%", scale(1.1)),
            ("-= 10 %", scale(0.9)),
            ("+5", add(5_i64)),
            ("+ 5", add(5_i64)),
            ("+=5", add(5_i64)),
            ("-=5", add(-5_i64)),
            ("-=2.5", add(-2.5)),
            ("+-5", add(-5_i64)),
            ("=8*2", int(16)),
            ("= 8 x 2", int(16)),
            ("=8×2+1", int(17)),
            ("=2+3*4", int(14)),
            ("=(2+3)*4", int(20)),
            ("=10/4", float(2.5)),
            ("=10/5", int(2)),
            ("=-3+1", int(-2)),
            ("=2-3-4", int(-5)),
            ("=2*-3", int(-6)),
            ("=1e2+1", float(101.0)),
            ("=1e-2", float(0.01)),
            ("=0x10*2", int(32)),
            ("=80*50%", float(40.0)),
            ("=9223372036854775807+1", float(9_223_372_036_854_775_808.0)),
            ("", Err("is not a number")),
            ("=", Err("is not a number")),
            ("many", Err("`many` is not a number; type one, as 12.5, or ×2, 50%, +5, -=5, =8*2")),
            ("12 m", Err("is not a number")),
            ("xx", Err("is not a number")),
            ("%", Err("is not a number")),
            ("8*2", Err("=8*2")),
            ("1/2", Err("is not a number")),
            ("=1 2", Err("is not a number")),
            ("=(1", Err("is not a number")),
            ("=1)", Err("is not a number")),
            ("1 000", Err("is not a number")),
            ("1,5", Err("with a point and without spaces")),
            ("/0", Err("divides by zero")),
            ("=1/0", Err("divides by zero")),
            ("1e999", Err("larger than numbers go")),
            ("=1e300*1e300", Err("larger than numbers go")),
            ("9223372036854775808", Err("larger than whole numbers go")),
            ("inf", Err("is not a number")),
            ("NaN", Err("is not a number")),
            ("x%", Err("is not a number")),
            ("--5", Err("is not a number")),
        ];
        check(&table, |text| read_typed(text, Some("px")));
        assert_eq!(read_typed("50%", Some("%")), Ok(Typed::Value(Value::Int(50))), "where percent is the unit");
        assert!(read_typed(&"=-".repeat(1000), None).is_err());
        assert!(read_typed(&format!("={}1", "(".repeat(100_000)), None).is_err(), "no depth brings it down");
    }

    #[test]
    fn what_is_typed_for_a_pair() {
        let pair = |x: f64, y: f64| Value::vec2(x, y);
        let ints = |x: i64, y: i64| Value::Tuple(vec![Value::Int(x), Value::Int(y)]);
        let table = [
            ("(8, 16)", Ok(Typed::Value(ints(8, 16)))),
            ("8.5,-16.0", Ok(Typed::Value(pair(8.5, -16.0)))),
            ("=(8*2, 3)", Ok(Typed::Value(ints(16, 3)))),
            ("=(1+2)*3, (4)", Ok(Typed::Value(ints(9, 4)))),
            ("×2", scale(2_i64)),
            ("x(2, 1)", scale(ints(2, 1))),
            ("×(1+1)", scale(2_i64)),
            ("/(2, 4)", scale(pair(0.5, 0.25))),
            ("50%", scale(0.5)),
            ("+(5, 0)", add(ints(5, 0))),
            ("+=5, 0", add(ints(5, 0))),
            ("-=(5.0, 1.5)", add(pair(-5.0, -1.5))),
            ("+5", Err("is not a pair of numbers; type one, as (8, 16), or ×2, ×(2, 1), 50%, +(5, 0)")),
            ("8", Err("is not a pair")),
            ("(1, 2, 3)", Err("is not a pair")),
            ("(1; 2)", Err("is not a pair")),
            ("/(0, 1)", Err("divides by zero")),
        ];
        check(&table, |text| read_typed_pair(text, None));
    }
}
