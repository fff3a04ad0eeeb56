//! A container put together again from its pieces: each part takes its comments along, and new parts are written the way
//! their neighbors are.

use std::ops::Range;

use super::{
    Entry, Field, Node,
    carried::bare,
    patch::{Edit, Patcher, Plan},
};

/// Columns up to which a line somebody wrote takes another part.
const ONE_LINE: usize = 120;

/// A part of a container: where it begins (its key, if it has one), and its value.
pub(super) struct Part<'n, 't> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) key: Option<(usize, usize)>,
    pub(super) value: &'n Node<'t>,
}

impl<'n, 't> Part<'n, 't> {
    pub(super) fn item(node: &'n Node<'t>) -> Self {
        Self { start: node.start as usize, end: node.end as usize, key: None, value: node }
    }

    pub(super) fn entry(entry: &'n Entry<'t>) -> Self {
        Self { start: entry.key.start as usize, key: Some(entry.key.range()), ..Self::item(&entry.value) }
    }

    pub(super) fn field(field: &'n Field<'t>) -> Self {
        Self { start: field.start as usize, key: Some(field.name_range()), ..Self::item(&field.value) }
    }
}

/// The text that belongs to a part: `lead` before it (line break, comments, indentation), itself, its comma, and what
/// follows on its line when that is only a comment.
struct Piece {
    lead: usize,
    start: usize,
    end: usize,
    comma: Option<usize>,
    /// One past the last byte.
    stop: usize,
}

/// One past what belongs to the container itself: a comment on the line of its opening bracket.
pub(super) fn head_end(text: &str, node: &Node<'_>) -> usize {
    end_of_comment(text, node.start as usize + 1)
}

/// The pieces of some parts, the first of which leads from `lead`.
fn pieces(text: &str, mut lead: usize, parts: &[Part<'_, '_>]) -> Vec<Piece> {
    let mut out = Vec::with_capacity(parts.len());
    for part in parts {
        let (comma, stop) = stop_of(text, part.end);
        out.push(Piece { lead, start: part.start, end: part.end, comma, stop });
        lead = stop;
    }
    out
}

/// Of each part, from its own comments on to past those on its line. The first leads from `lead`.
pub(super) fn own_pieces(text: &str, lead: usize, parts: &[Part<'_, '_>]) -> Vec<(usize, usize)> {
    pieces(text, lead, parts).iter().map(|piece| (piece.own(text), piece.stop)).collect()
}

impl Piece {
    /// Where the comments begin that are its own.
    fn own(&self, text: &str) -> usize {
        self.lead + free_comments(text.get(self.lead..self.start).unwrap_or_default()).len()
    }
}

/// The comma behind a part that ends at `end`, and one past the last byte that belongs to the part.
pub(super) fn stop_of(text: &str, end: usize) -> (Option<usize>, usize) {
    let comma = find_comma(text, end);
    (comma, end_of_comment(text, comma.map_or(end, |comma| comma + 1)))
}

/// The comma behind a part, past comments.
fn find_comma(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = text.get(at..)?;
        let skipped = rest.len() - rest.trim_start().len();
        at += skipped;
        let rest = rest.trim_start();
        if rest.starts_with(',') {
            return Some(at);
        }
        at += comment_len(rest)?;
    }
}

/// Length of the comment that `text` begins with.
pub(super) fn comment_len(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        // The CR of a line's end belongs to the end; one by itself ends no comment.
        return Some(
            text.find('\n').map_or(text.len(), |end| end - usize::from(text.get(..end).is_some_and(ends_in_cr))),
        );
    }
    if !text.starts_with("/*") {
        return None;
    }
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        let rest = text.get(at..)?;
        let next = rest.find(['/', '*'])?;
        at += next;
        let rest = text.get(at..)?;
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
}

fn ends_in_cr(text: &str) -> bool {
    text.ends_with('\r')
}

/// Past the comments that end the line of `at`; `at` itself when something else follows.
fn end_of_comment(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = text.get(end..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let rest = rest.trim_start_matches([' ', '\t']);
        if rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n") {
            return end;
        }
        match comment_len(rest) {
            // A comment of several lines belongs to what follows it.
            Some(length) if !rest.get(..length).unwrap_or_default().contains('\n') => end += blank + length,
            _ => return at,
        }
    }
}

/// The comments before a part that are not its own: those that a blank line parts from it, and headings.
fn free_comments(lead: &str) -> &str {
    let Some(last_break) = lead.rfind('\n') else { return "" };
    let mut own_from = last_break;
    // Walk up over the lines of comment directly above.
    while let Some(above) = lead.get(..own_from).and_then(|before| before.rfind('\n')) {
        let line = lead.get(above + 1..own_from).unwrap_or_default();
        if line.trim().is_empty() || is_heading(line) {
            let free = lead.get(..if is_heading(line) { own_from } else { above }).unwrap_or_default();
            let free = free.strip_suffix('\r').unwrap_or(free);
            return if free.trim().is_empty() { "" } else { free };
        }
        own_from = above;
    }
    ""
}

/// Whether a line is a comment with a rule in it: `// ---- bosses ----`.
fn is_heading(line: &str) -> bool {
    const RULES: [&str; 6] = ["---", "===", "***", "###", "~~~", "───"];
    line.trim().strip_prefix("//").is_some_and(|text| {
        let text = text.trim_matches([' ', '\t', '\r', '/']);
        RULES.iter().any(|rule| text.starts_with(rule) || text.ends_with(rule))
    })
}

/// The indentation of what follows on a line of its own.
fn own_line(lead: &str) -> Option<&str> {
    lead.rsplit_once('\n').map(|(_, indent)| indent).filter(|indent| indent.trim().is_empty())
}

/// The edit that makes these parts of `node`, a range of all of them, follow `plan`. What is before and behind them stays.
pub(super) fn rebuild<'t: 'c, 'c>(
    patcher: &mut Patcher<'t, 'c>,
    node: &Node<'t>,
    (parts, range): (&[Part<'_, 't>], Range<usize>),
    plan: &[Plan<'_, '_>],
) -> Edit {
    let text = patcher.text;
    let get = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let before = range.start.checked_sub(1).and_then(|at| parts.get(at));
    let region = Region {
        // A comment on the line of the opening bracket stays there.
        start: before.map_or_else(|| node.start as usize + 1, |part| stop_of(text, part.end).1),
        head: if before.is_some() { 0 } else { head_end(text, node) - node.start as usize - 1 },
        end: match range.end.checked_sub(1).and_then(|at| parts.get(at)) {
            Some(last) if range.end < parts.len() => stop_of(text, last.end).1,
            _ => node.end as usize - 1,
        },
        first: range.start,
        is_last: range.end == parts.len(),
    };
    let moved = parts.get(range).unwrap_or_default();
    let pieces = pieces(text, region.start + region.head, moved);
    let mut stays = vec![false; pieces.len()];
    for planned in plan {
        if let Plan::Old { at, .. } = planned
            && let Some(slot) = stays.get_mut(at.wrapping_sub(region.first))
        {
            *slot = true;
        }
    }
    for ((piece, part), _) in pieces.iter().zip(moved).zip(&stays).filter(|(_, stays)| !**stays) {
        patcher.dropped.part(text, &patcher.parent, part, (piece.own(text), piece.stop));
    }
    let tail = get(pieces.last().map_or(region.start + region.head, |last| last.stop), region.end);
    let (base, column) = patcher.place_of(node.start as usize);

    let leads = || pieces.iter().map(|piece| get(piece.lead, piece.start));
    let n_lined = leads().filter_map(own_line).count();
    let inner = leads().filter_map(own_line).next_back();
    let inner = inner.map_or_else(|| format!("{base}{}", patcher.style.unit), str::to_owned);

    let is_one_line = !get(node.start as usize, node.end as usize).contains('\n');
    let mut lined = if pieces.is_empty() { !is_one_line } else { own_line(tail).is_some() || n_lined > 1 };
    let is_plain = |text: &str| !text.contains("//") && !text.contains("/*");
    let has_new = plan.iter().any(|part| matches!(part, Plan::New(..)));
    let may_break = is_one_line && has_new && leads().all(is_plain) && is_plain(tail);
    // Comments that go along with what comes need lines of their own.
    let wants_lines = !lined
        && (may_break || !is_one_line)
        && plan.iter().any(|planned| {
            let Plan::New(key, form) = planned else { return false };
            let key = key.as_deref().map(bare);
            let carry = patcher.carry;
            carry.find(&patcher.parent, key.as_deref(), form, ("", "")).is_some()
                || carry.has_for(key.as_deref().unwrap_or(&patcher.parent), form)
        });
    lined |= wants_lines;
    let mut bodies = write_bodies(patcher, (parts, &pieces, region.first), plan, &inner, lined);
    // One line only while it is not too long and nothing new needs several; comments keep it as it is.
    let mut broken = None;
    if may_break {
        let rest = get(node.end as usize, text.len());
        let rest = rest.lines().next().map_or(0, |rest| rest.chars().count());
        let length: usize = bodies.iter().map(|body| body.text.chars().count() + 2).sum();
        if wants_lines || column + length + rest > ONE_LINE || bodies.iter().any(|body| body.text.contains('\n')) {
            if !lined {
                lined = true;
                bodies = write_bodies(patcher, (parts, &pieces, region.first), plan, &inner, lined);
            }
            broken = Some(format!("{}{base}", patcher.style.eol));
        }
    }
    let layout = Layout { base, inner: &inner, lined, broken: broken.as_deref() };
    assemble(patcher, &pieces, plan, (&bodies, &stays), &layout, &region)
}

/// The text of a planned part: key, value, and comments between them; and the comments that come along with it.
#[derive(Default)]
struct Body {
    lead: Vec<String>,
    text: String,
    trail: String,
}

fn write_bodies<'t: 'c, 'c>(
    patcher: &mut Patcher<'t, 'c>,
    (parts, pieces, first): (&[Part<'_, 't>], &[Piece], usize),
    plan: &[Plan<'_, '_>],
    inner: &str,
    lined: bool,
) -> Vec<Body> {
    plan.iter()
        .map(|planned| match planned {
            Plan::Old { at, key, form } => {
                let Some(part) = parts.get(*at) else { return Body::default() };
                let piece = at.checked_sub(first).and_then(|at| pieces.get(at));
                let text = |from: usize, to: usize| patcher.text.get(from..to).unwrap_or_default();
                let own = piece.filter(|piece| own_line(text(piece.lead, piece.start)).is_some());
                let mut body = Body::default();
                if let Some((piece, carried)) = own.zip(patcher.carried_to(part, key.as_deref(), *form)) {
                    patcher.carry.place(&carried, false);
                    body.lead.clone_from(&carried.lead);
                    let has_comment = text(piece.end, piece.stop).contains('/');
                    if has_comment && !carried.trail.is_empty() {
                        body.lead.push(carried.trail);
                    } else {
                        body.trail = carried.trail;
                    }
                }
                body.text = patcher.edited(part, key.as_deref(), *form);
                body
            }
            Plan::New(key, form) => {
                let mut writer = patcher.writer(lined);
                let trail = if lined {
                    writer.carried_entry(key.as_deref(), form, inner).trim_start().to_owned()
                } else {
                    if let Some(key) = key {
                        writer.out.push_str(key);
                        writer.out.push_str(": ");
                    }
                    writer.value(form, inner, 0, 0);
                    String::new()
                };
                Body { lead: Vec::new(), text: patcher.written(writer), trail }
            }
        })
        .collect()
}

/// The text that is put together again.
struct Region {
    start: usize,
    /// Bytes at its beginning that are nobody's.
    head: usize,
    end: usize,
    /// The number of the first part in it.
    first: usize,
    /// Whether the container ends with it.
    is_last: bool,
}

struct Layout<'l> {
    /// Indentation of the line that the container begins on.
    base: &'l str,
    /// Indentation of parts on lines of their own.
    inner: &'l str,
    /// Whether new parts have lines of their own.
    lined: bool,
    /// Every part is to be put on a line of its own, and this before the closing bracket.
    broken: Option<&'l str>,
}

fn assemble(
    patcher: &Patcher<'_, '_>,
    pieces: &[Piece],
    plan: &[Plan<'_, '_>],
    (bodies, used): (&[Body], &[bool]),
    layout: &Layout<'_>,
    region: &Region,
) -> Edit {
    let text = patcher.text;
    let get = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let (open, close) = (region.start, region.end);
    // Where there is nothing but comments, what comes is what they announce.
    let only_comments = pieces.is_empty().then(|| get(open, close).trim_end().len());
    let head = get(open, open + only_comments.unwrap_or(region.head));
    let tail = get(pieces.last().map_or(open + head.len(), |last| last.stop), close);
    let first_lead = pieces.first().map_or("", |piece| get(piece.lead, piece.start));
    let had_last_comma = pieces.last().is_none_or(|piece| piece.comma.is_some());
    let new_line = format!("{}{}", patcher.style.eol, layout.inner);
    // Where a blank line stands between all the parts, one stands before a new one too.
    let is_spaced = |piece: &Piece| n_blank(get(piece.lead, piece.start)) > 0;
    let has_spaces = pieces.len() > 1 && pieces.iter().skip(1).all(is_spaced);
    let spaced_line = format!("{}{new_line}", patcher.style.eol);

    let mut out = head.to_owned();
    // After a line comment, only a line break may follow.
    let mut needs_break = head.contains("//");
    let mut freed = 0;
    for (i, (planned, body)) in plan.iter().zip(bodies).enumerate() {
        let is_last = region.is_last && i + 1 == plan.len();
        let place = if let Plan::Old { at, .. } = planned { at.checked_sub(region.first) } else { None };
        let old = place.and_then(|at| Some((at, pieces.get(at)?)));
        if let Some((at, _)) = old {
            needs_break |= keep_free_comments(text, pieces, used, &mut freed, at, &mut out);
        }
        let lead = match old {
            Some((_, piece)) => get(piece.lead, piece.start),
            None if layout.lined && has_spaces && i > 0 => spaced_line.as_str(),
            None if layout.lined => new_line.as_str(),
            None if i == 0 && pieces.is_empty() && !head.is_empty() => " ",
            None if i == 0 && first_lead.trim().is_empty() => first_lead,
            None if i == 0 => "",
            None => " ",
        };
        let is_blank = lead.trim().is_empty();
        let was_before = i.checked_sub(1).map(|i| plan.get(i));
        let follows_as_ever = old.is_some_and(|(at, _)| match was_before {
            Some(Some(Plan::Old { at: before, .. })) => before + 1 == at + region.first,
            Some(_) => false,
            None => at == 0,
        });
        let lead = match () {
            () if layout.broken.is_some() && is_blank => new_line.as_str(),
            () if needs_break && is_blank && !lead.contains('\n') => new_line.as_str(),
            () if follows_as_ever => lead,
            // What was before it took its blank line along.
            () if i == 0 && n_blank(first_lead) == 0 && n_blank(lead) > 0 => {
                lead.get(blank_end(lead)..).unwrap_or_default()
            }
            () if layout.lined && i == 0 && is_blank && !lead.contains('\n') && first_lead.contains('\n') => {
                new_line.as_str()
            }
            // What was not first takes the place of what was, and the other way round.
            () if !layout.lined && i == 0 && is_blank && first_lead.trim().is_empty() => first_lead,
            () if !layout.lined && i > 0 && lead.is_empty() => " ",
            () => lead,
        };
        if needs_break && !starts_line(lead) {
            out.push_str(&new_line);
            out.push_str(lead.trim_start_matches([' ', '\t']));
        } else {
            out.push_str(lead);
        }
        for comment in &body.lead {
            out.push_str(comment);
            out.push_str(&new_line);
        }
        out.push_str(&body.text);
        let wants_comma = !is_last
            || match old {
                Some((_, piece)) if layout.lined && layout.broken.is_none() => piece.comma.is_some(),
                _ if pieces.is_empty() || layout.broken.is_some() => layout.lined,
                _ => had_last_comma,
            };
        let (before, after) = match old {
            Some((_, piece)) => match piece.comma {
                Some(comma) => (get(piece.end, comma), get(comma + 1, piece.stop)),
                None => ("", get(piece.end, piece.stop)),
            },
            None => ("", ""),
        };
        out.push_str(before);
        if wants_comma {
            out.push(',');
        }
        out.push_str(after);
        if !body.trail.is_empty() {
            out.push(' ');
            out.push_str(&body.trail);
        }
        let is_last_before = before.contains("//") && !wants_comma && after.is_empty() && body.trail.is_empty();
        needs_break = is_last_before || after.contains("//") || body.trail.contains("//");
    }
    needs_break |= keep_free_comments(text, pieces, used, &mut freed, pieces.len(), &mut out);
    match layout.broken {
        Some(broken) if tail.trim().is_empty() && !plan.is_empty() => out.push_str(broken),
        _ if plan.is_empty() && tail.trim().is_empty() && out.trim().is_empty() => out.clear(),
        _ => {
            if region.is_last && needs_break && !starts_line(tail) {
                out.push_str(patcher.style.eol);
                out.push_str(layout.base);
                out.push_str(tail.trim_start_matches([' ', '\t']));
            } else {
                out.push_str(tail);
            }
        }
    }
    Edit { start: open, end: close, text: out }
}

/// How many blank lines a lead begins with.
fn n_blank(lead: &str) -> usize {
    let space = lead.len() - lead.trim_start().len();
    lead.get(..space).unwrap_or_default().matches('\n').count().saturating_sub(1)
}

/// The line break behind the blank lines that a lead begins with.
fn blank_end(lead: &str) -> usize {
    let space = lead.len() - lead.trim_start().len();
    let breaks = lead.get(..space).unwrap_or_default();
    let end = breaks.rfind('\n').unwrap_or(0);
    end - usize::from(breaks.get(..end).is_some_and(ends_in_cr))
}

/// Whether text may follow a line comment.
fn starts_line(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
}

/// Keep what comments stood apart from the parts that go, up to the old part `until`. Whether a line comment may be last.
fn keep_free_comments(
    text: &str,
    pieces: &[Piece],
    used: &[bool],
    freed: &mut usize,
    until: usize,
    out: &mut String,
) -> bool {
    let before = out.len();
    while *freed < until {
        if let (Some(piece), Some(false)) = (pieces.get(*freed), used.get(*freed)) {
            out.push_str(free_comments(text.get(piece.lead..piece.start).unwrap_or_default()));
        }
        *freed += 1;
    }
    out.get(before..).is_some_and(|free| free.contains("//"))
}
