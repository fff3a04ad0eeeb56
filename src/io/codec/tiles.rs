//! Chunks of tiles as rows of text: `"1 1 . 5*7 12hv"`.
//!
//! Cells are separated by spaces: a tile's id and its flips in any order (`h`, `v`, `d`), or `.` for nothing; `5*7` is
//! five cells of tile 7. Rows may stop early and chunks may have fewer than 32 rows; what is left out is empty.

use std::{borrow::Cow, sync::Arc};

use super::{Cx, Decode, Encode, values};
use crate::{
    io::ron_text::{Custom, Form, Kind, List, ListBy, Map, Node},
    model::{CHUNK, Cell, Chunk, Tile, Tiles},
};

/// Cells of a row, and rows of a chunk.
const SIDE: usize = CHUNK as usize;
/// The furthest chunk in each direction; every cell's coordinates fit 32 bits with room to spare.
const MAX_CHUNK: i32 = 1 << 20;

impl<'t> Decode<'t> for Tiles {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let mut tiles = Self::default();
        for entry in values::entries(node, cx)? {
            let at: Option<Cell> = Decode::decode(&entry.key, cx);
            if at.is_some_and(|at| at.iter().any(|c| !(-MAX_CHUNK..=MAX_CHUNK).contains(c))) {
                let message = format!("chunk coordinates go from -{MAX_CHUNK} to {MAX_CHUNK}");
                cx.error("wrong-value", entry.key.range(), message);
            }
            if let (Some(at), Some(chunk)) = (at, chunk(&entry.value, cx)) {
                tiles.set_chunk(at, chunk);
            }
        }
        Some(tiles)
    }
}

fn chunk<'t>(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Chunk> {
    let Kind::List(rows) = &node.kind else { return cx.expected("a list of rows, as `[\"1 1 .\"]`", node) };
    if let Some(extra) = rows.get(SIDE) {
        cx.error("wrong-value", extra.range(), format!("a chunk has {SIDE} rows; this is row {}", SIDE + 1));
    }
    let mut tiles = [Tile::EMPTY; SIDE * SIDE];
    for (row, out) in rows.iter().zip(tiles.chunks_exact_mut(SIDE)) {
        let Some(text) = row.as_str() else {
            cx.expected::<()>("a row of tiles, as `\"1 1 . 5*7\"`", row);
            continue;
        };
        match read_row(text) {
            Ok(cells) => out.copy_from_slice(&cells),
            Err(problem) => {
                // The text of a string without escapes stands one byte after its quote.
                let start = row.start as usize + 1 + problem.start;
                let inside = (start, start + problem.length);
                let plain = cx.text.get(inside.0..inside.1) == text.get(problem.start..problem.start + problem.length);
                cx.error("wrong-tile", if plain { inside } else { row.range() }, problem.message);
            }
        }
    }
    Some(Chunk::from(&tiles))
}

/// What is wrong with a row, and where in it.
pub(crate) struct RowProblem {
    start: usize,
    length: usize,
    message: String,
}

/// Read a row.
pub(crate) fn read_row(text: &str) -> Result<[Tile; SIDE], RowProblem> {
    plain_row(text.as_bytes()).map_or_else(|| read_any_row(text), Ok)
}

/// A row as rows are mostly written: large levels have millions. `None` for others, right or wrong.
fn plain_row(text: &[u8]) -> Option<[Tile; SIDE]> {
    let mut cells = [Tile::EMPTY; SIDE];
    let mut at = 0;
    for word in text.split(|byte| *byte == b' ').filter(|word| !word.is_empty()) {
        let (mut number, mut rest) = digits_of(word)?;
        let mut count = 1;
        if let [b'*', after @ ..] = rest {
            count = usize::try_from(number?).ok().filter(|count| *count > 0)?;
            (number, rest) = digits_of(after)?;
        }
        let mut tile = match (number, rest) {
            (None, b".") => Tile::EMPTY,
            (Some(id), _) if id <= Tile::MAX_ID => Tile::id_only(id),
            _ => return None,
        };
        if number.is_some() {
            for (i, flip) in rest.iter().enumerate() {
                let is_flip = matches!(flip, b'h' | b'v' | b'd') && !rest.iter().take(i).any(|it| it == flip);
                tile = is_flip.then(|| tile.toggled(char::from(*flip)))?;
            }
        }
        cells.get_mut(at..at + count)?.fill(tile);
        at += count;
    }
    Some(cells)
}

/// The number at the start of a word, if there is one, and what comes after it; `None` for a number of too many digits.
fn digits_of(word: &[u8]) -> Option<(Option<u32>, &[u8])> {
    let n = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = word.split_at_checked(n).filter(|_| n <= 9)?;
    let number = digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
    Some(((n > 0).then_some(number), rest))
}

/// A row in any spelling, or what is wrong with it.
fn read_any_row(text: &str) -> Result<[Tile; SIDE], RowProblem> {
    let mut cells = [Tile::EMPTY; SIDE];
    let mut at = 0_usize;
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Ok(cells);
        }
        let start = text.len() - rest.len();
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        rest = rest.get(word.len()..).unwrap_or_default();
        let problem = |message: String| RowProblem { start, length: word.len(), message };
        let (count, cell) = match word.split_once('*') {
            Some((count, cell)) => {
                let count = count.parse::<usize>().ok().filter(|count| *count > 0);
                (count.ok_or_else(|| problem(format!("`{word}`: expected a count before `*`, as `5*7`")))?, cell)
            }
            None => (1, word),
        };
        let tile = read_cell(cell).ok_or_else(|| {
            problem(format!("`{}` is not a cell: a tile's id with flips `h`, `v`, `d`, or `.`", shorten(cell)))
        })?;
        let Some(run) = at.checked_add(count).and_then(|end| cells.get_mut(at..end)) else {
            return Err(problem(format!("a row has {SIDE} cells; this one goes further")));
        };
        run.fill(tile);
        at += count;
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(20).collect()
}

fn read_cell(word: &str) -> Option<Tile> {
    if word == "." {
        return Some(Tile::EMPTY);
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let id = word.get(..digits)?.parse::<u32>().ok().filter(|id| *id <= Tile::MAX_ID)?;
    let flips = word.get(digits..)?;
    let has = |flip: char| flips.matches(flip).count();
    let (h, v, d) = (has('h'), has('v'), has('d'));
    (h <= 1 && v <= 1 && d <= 1 && h + v + d == flips.len()).then(|| Tile::new(id, h == 1, v == 1, d == 1))
}

/// Write a row without what is empty at its end; a run of four or more alike is counted.
pub(crate) fn write_row(cells: &[Tile]) -> String {
    let end = cells.iter().rposition(|tile| !tile.is_empty()).map_or(0, |last| last + 1);
    let mut out = String::with_capacity(3 * end);
    for run in cells.get(..end).unwrap_or_default().chunk_by(PartialEq::eq) {
        let Some(tile) = run.first() else { continue };
        let (words, count) = if run.len() >= 4 { (1, Some(run.len())) } else { (run.len(), None) };
        for _ in 0..words {
            if !out.is_empty() {
                out.push(' ');
            }
            if let Some(count) = count {
                push_number(&mut out, count);
                out.push('*');
            }
            match tile.id() {
                Some(id) => push_number(&mut out, id as usize),
                None => out.push('.'),
            }
            let flips = [(tile.flip_h(), 'h'), (tile.flip_v(), 'v'), (tile.flip_d(), 'd')];
            out.extend(flips.into_iter().filter(|(is_on, _)| *is_on).map(|(_, letter)| letter));
        }
    }
    out
}

/// Large levels have hundreds of millions of these: formatting them costs several times as much.
fn push_number(out: &mut String, number: usize) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + u8::try_from(number % 10).unwrap_or(0)));
}

impl Encode for Tiles {
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        let entry = |(at, chunk): (Cell, &'m Arc<Chunk>)| {
            let key = Form::Tuple(at.map(|c| Form::Int(i64::from(c))).into());
            let is_old = base.and_then(|base| base.chunk(at)).is_some_and(|old| Arc::ptr_eq(old, chunk));
            (key, if is_old { Form::Keep } else { Form::Custom(Box::new(ChunkForm(chunk))) })
        };
        let entries = self.chunks().map(entry).collect();
        // Chunks lie where their keys say, whatever their order; one that is written out empty may stay.
        Form::Map(Map { entries, is_ordered: false, is_blank: is_blank_chunk, own_lines: true })
    }
}

fn is_blank_chunk(node: &Node<'_>) -> bool {
    rows_of(node).is_some_and(|rows| rows.iter().all(|row| row.iter().all(|tile| tile.is_empty())))
}

/// The rows of a chunk in a file, if it is one.
fn rows_of(node: &Node<'_>) -> Option<Vec<[Tile; SIDE]>> {
    let Kind::List(rows) = &node.kind else { return None };
    rows.iter().map(|row| read_row(row.as_str()?).ok()).collect()
}

/// A chunk: rows that differ are written anew, whole.
struct ChunkForm<'m>(&'m Chunk);

impl<'m> Custom<'m> for ChunkForm<'m> {
    fn is_written_by(&self, node: &Node<'_>) -> bool {
        let Some(rows) = rows_of(node) else { return false };
        let blank = [Tile::EMPTY; SIDE];
        let lines = rows.iter().chain(std::iter::repeat(&blank));
        rows.len() <= SIDE && self.0.rows().zip(lines).all(|(mine, theirs)| mine == *theirs)
    }

    fn form(&self, node: Option<&Node<'_>>) -> Form<'m> {
        // As many rows as have tiles; a file that has more keeps them.
        let has_tiles = |row: [Tile; SIDE]| row.iter().any(|tile| !tile.is_empty());
        let n_mine = self.0.rows().rposition(has_tiles).map_or(0, |last| last + 1);
        let n_theirs = match node.map(|node| &node.kind) {
            Some(Kind::List(rows)) => rows.len().min(SIDE),
            _ => 0,
        };
        let rows = self.0.rows().take(n_mine.max(n_theirs));
        let items = rows.map(|row| Form::Custom(Box::new(RowForm(row)))).collect();
        Form::List(List { by: ListBy::Position, own_lines: true, ..List::new(items) })
    }
}

struct RowForm([Tile; SIDE]);

impl<'m> Custom<'m> for RowForm {
    fn is_written_by(&self, node: &Node<'_>) -> bool {
        node.as_str().is_some_and(|text| read_row(text).is_ok_and(|row| row == self.0))
    }

    fn form(&self, _: Option<&Node<'_>>) -> Form<'m> {
        Form::Str(Cow::Owned(write_row(&self.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_alike_quickly_and_with_care() {
        let rows = [
            "",
            " ",
            "1 1 .",
            "5*7 12hv",
            "  1   2 ",
            "007 1h 1v 1d 1hvd 1dvh",
            "32*1",
            "28*. 4*3h",
            "536870910",
            "33*1",
            "0*1",
            "1hh",
            "1x",
            ".h",
            "5*",
            "*5",
            "5*.",
            "5*.h",
            "999999999",
            "9999999999",
            "1*1*1",
            "+5*1",
            "1\t2",
            "1\u{a0}2",
            "−1",
            "-1",
            "536870911",
        ];
        let mut n_plain = 0;
        for row in rows {
            let slow = read_any_row(row).ok();
            let quick = plain_row(row.as_bytes());
            assert!(quick.is_none() || quick == slow, "{row}");
            n_plain += usize::from(quick.is_some());
            assert_eq!(read_row(row).ok(), slow, "{row}");
        }
        assert_eq!(n_plain, 10, "rows as they are mostly written are read quickly");
    }
}
