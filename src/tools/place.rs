//! Placing entities: a ghost follows the pointer, a click puts the entity there.

use super::{
    Cursor, PointerEvent, PointerPhase, ToolCx, ToolOut,
    select::bounds_of,
    snap::{Targets, lined_up},
};
use crate::{
    edit::{Edit, Phase},
    model::{EntitiesFile, Instance, fresh_id},
};

/// Answer a pointer event; `is_held` when the button went down before. Returns whether it is held afterwards.
pub(super) fn pointer(cx: &ToolCx<'_>, event: &PointerEvent, is_held: bool) -> (bool, ToolOut) {
    let is_placing = event.phase == PointerPhase::Press || is_held;
    let Some(def) = cx.def else {
        return (false, ToolOut::refused("Choose in the Palette what to place"));
    };
    // Every file is asked only where it is not where it was last.
    let found = cx.def_doc.and_then(|doc| cx.project.get::<EntitiesFile>(doc)?.defs.get(def));
    let found = found.or_else(|| cx.project.all::<EntitiesFile>().find_map(|(_, file)| file.defs.get(def)));
    let problem = match found {
        None => Some(format!("There is no definition “{def}” any more")),
        Some(found) if found.is_abstract => {
            Some(format!("“{def}” is abstract: it is there to be inherited, not to be placed"))
        }
        Some(_) => None,
    };
    if let Some(problem) = problem {
        return (false, ToolOut { phase: ToolOut::ended(is_held, Phase::Cancel), ..ToolOut::refused(problem) });
    }
    let (level, layer) = match (cx.level(), cx.layer_for("entities", |layer| layer.entities().is_some())) {
        (Some(level), Ok(layer)) => (level, layer),
        (None, _) => return (false, ToolOut::refused("Open a level first")),
        (_, Err(why)) => return (false, ToolOut::refused(why)),
    };
    let offset = cx.look(layer).offset;
    let on_layer = [event.pos_px[0] - offset[0], event.pos_px[1] - offset[1]];
    let on_grid = cx.snapped(on_layer, event.modifiers.alt);
    let at_origin = bounds_of(cx, &Instance::new(def.clone(), [0.0; 2]));
    let bounds = at_origin.map(|at| [at[0] + offset[0], at[1] + offset[1]]);
    let targets = Targets::around(cx, &[]);
    let (at, guides) = lined_up(cx, (bounds, &targets), (on_layer, on_grid), event.modifiers.alt);
    if !event.modifiers.alt && !cx.is_inside(at) {
        let is_over = event.phase == PointerPhase::Release;
        let phase = ToolOut::ended(is_placing && is_over, Phase::Cancel);
        let why = "This is outside the level; with Alt it is placed there all the same";
        return (is_placing && !is_over, ToolOut { phase, ..ToolOut::refused(why) });
    }
    let shown = [at[0] + offset[0], at[1] + offset[1]];
    let mut out = ToolOut { cursor: Cursor::Crosshair, ..ToolOut::default() };
    out.ghost.guides = guides;
    let is_elsewhere = cx.layer().is_none_or(|active| active.name != layer.name);
    let on = if is_elsewhere { format!(" on {}", layer.name) } else { String::new() };
    out.ghost.note = Some(format!("{}, {}{on}", at[0], at[1]));
    if !is_placing {
        let is_it = |it: &Instance| it.def == *def && it.at == at;
        if cx.selection.iter().any(|id| level.entity(id).is_some_and(|(_, it)| is_it(it))) {
            // It was just placed here, and is not to be covered by what another one would look like.
            return (false, ToolOut { cursor: out.cursor, ..ToolOut::default() });
        }
        out.ghost.entity = Some((def.clone(), shown));
        return (false, out);
    }
    let id = fresh_id(cx.seed, |id| level.has_id(id));
    let instance = Instance::new(def.clone(), at);
    out.edits = vec![Edit::place(cx.doc, &layer.name, id.clone(), instance)];
    if event.phase == PointerPhase::Release {
        out.phase = Phase::Commit;
        out.selection = Some(vec![id]);
        return (false, out);
    }
    (true, out)
}
