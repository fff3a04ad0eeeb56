//! A container put together again from its pieces: each part takes its comments along, and new parts are written the
//! way their neighbors are.

use super::{
    edit::TextEdit,
    pieces::{Piece, ends_in_cr, free_comments},
    plan::Plan,
};

/// The text of a planned part: key, value, and comments between them; and the comments that come along with it.
#[derive(Default)]
pub(super) struct Body {
    pub(super) lead: Vec<String>,
    pub(super) text: String,
    pub(super) trail: String,
}

/// The text that is put together again.
pub(super) struct Region {
    pub(super) start: usize,
    /// Bytes at its beginning that belong to no part.
    pub(super) head: usize,
    pub(super) end: usize,
    /// The number of the first part in it.
    pub(super) first: usize,
    /// Whether the container ends with it.
    pub(super) is_last: bool,
}

pub(super) struct Layout<'l> {
    /// Indentation of the line that the container begins on.
    pub(super) base: &'l str,
    /// Indentation of parts on lines of their own.
    pub(super) inner: &'l str,
    /// Whether new parts have lines of their own.
    pub(super) lined: bool,
    /// Every part is to be put on a line of its own, and this before the closing bracket.
    pub(super) broken: Option<&'l str>,
}

/// The edit that makes the pieces of a region follow `plan`, of which `bodies` are the new texts. `used` are the pieces
/// that stay.
pub(super) fn assemble(
    (text, eol): (&str, &str),
    pieces: &[Piece],
    plan: &[Plan<'_, '_>],
    (bodies, used): (&[Body], &[bool]),
    layout: &Layout<'_>,
    region: &Region,
) -> TextEdit {
    let get = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let (open, close) = (region.start, region.end);
    // Where there is nothing but comments, what comes is what they announce.
    let only_comments = pieces.is_empty().then(|| get(open, close).trim_end().len());
    let head = get(open, open + only_comments.unwrap_or(region.head));
    let tail = get(pieces.last().map_or(open + head.len(), |last| last.stop), close);
    let first_lead = pieces.first().map_or("", |piece| get(piece.lead, piece.start));
    let had_last_comma = pieces.last().is_none_or(|piece| piece.comma.is_some());
    let new_line = format!("{eol}{}", layout.inner);
    // Where a blank line stands between all the parts, one stands before a new one too.
    let is_spaced = |piece: &Piece| n_blank(get(piece.lead, piece.start)) > 0;
    let has_spaces = pieces.len() > 1 && pieces.iter().skip(1).all(is_spaced);
    let spaced_line = format!("{eol}{new_line}");

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
            // The part before it moved away with its blank line.
            () if i == 0 && n_blank(first_lead) == 0 && n_blank(lead) > 0 => {
                lead.get(blank_end(lead)..).unwrap_or_default()
            }
            () if layout.lined && i == 0 && is_blank && !lead.contains('\n') && first_lead.contains('\n') => {
                new_line.as_str()
            }
            // A part that becomes the first one takes its lead, and the reverse.
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
                out.push_str(eol);
                out.push_str(layout.base);
                out.push_str(tail.trim_start_matches([' ', '\t']));
            } else {
                out.push_str(tail);
            }
        }
    }
    TextEdit { start: open, end: close, text: out }
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

/// Keep what comments stood apart from the parts that go, up to the old part `until`. Whether a line comment may be
/// last.
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
