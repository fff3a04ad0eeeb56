//! When a command makes sense, and whether it is switched on.
//!
//! Invariant: a command without a refusal does something when it is given. Its words and keys are in `command`.

use super::{CommandLook as _, Cx, canvas::text::text_of};
use crate::{
    edit::{merge_problem, stepped, ungroup_problem},
    editor::{CameraMode, Command, Preview, Selection, new_stamp_of},
    model::{DocKind, DocPath, Layer, Level, Name, counted},
    refactor::{can_delete_file, can_duplicate_file},
    tools::{BrushTip, Matching, ShapeStyle, TipShape},
};

/// Why no sound can be played by a program that was built without.
pub const WITHOUT_SOUND: &str = "This program was built without sound: cargo run --release --features sound";

/// What a command would do now.
pub trait CommandState: Copy {
    /// Why the command makes no sense now; `None` when it does.
    #[must_use]
    fn refusal(self, cx: &Cx<'_>) -> Option<String>;

    /// What it would do now, where its own words do not tell: `Undo: Rename goblin to gnome`.
    #[must_use]
    fn means(self, cx: &Cx<'_>) -> Option<String>;

    /// Whether more input follows now, where that depends on what is selected.
    #[must_use]
    fn asks(self, cx: &Cx<'_>) -> bool;

    /// Whether a switch is on; `None` for commands that are no switches.
    #[must_use]
    fn is_on(self, cx: &Cx<'_>) -> Option<bool>;
}

/// The selected entities that are in a running level, in the order in which they were selected.
fn selected_running<'a>(cx: &Cx<'a>, preview: &'a Preview) -> Vec<&'a Name> {
    let world = preview.session.world();
    cx.selection.ids_in(&preview.level).iter().filter(|id| world.by_id(id).is_some()).collect()
}

/// Whether what is selected in the level shown is values and no tiles.
fn holds_values(cx: &Cx<'_>) -> bool {
    !cx.view.is_over_all_layers && cx.layer().is_some_and(|layer| layer.values().is_some())
}

/// Whether the selected layers can go a step to the front, or to the back.
fn can_step(cx: &Cx<'_>, is_forward: bool) -> bool {
    cx.level().is_some_and(|level| !stepped(level, &cx.layers_meant(), is_forward).is_empty())
}

/// The layer that keeps a selected one, or something in it, from being deleted, and that selected one.
fn lock_in<'a>(cx: &'a Cx<'_>) -> Option<(&'a Name, &'a Name)> {
    let (_, level) = cx.level()?;
    let all = level.all_layers();
    let lock_of = |layer: &'a Layer| {
        let mut parts = all.iter().enumerate().filter(|(_, it)| layer.is_or_holds(&it.name));
        let locked = parts.find_map(|(number, _)| level.lock_on(number))?;
        Some((&locked.name, &layer.name))
    };
    cx.layers_meant().iter().find_map(|name| lock_of(level.layer(name)?.1))
}

/// What is done with the selected layers, in words: with the one by its name, or with so many. `None` where there is
/// none.
fn about_layers(cx: &Cx<'_>, verb: &str, rest: &str) -> Option<String> {
    match cx.layers_meant().as_slice() {
        [] => None,
        [layer] => Some(format!("{verb} “{layer}”{rest}")),
        many => Some(format!("{verb} {}{rest}", counted(many.len(), "layer"))),
    }
}

impl CommandState for Command {
    fn refusal(self, cx: &Cx<'_>) -> Option<String> {
        let need = |fine: bool, why: &str| if fine { None } else { Some(why.to_owned()) };
        let has_level = cx.level().is_some();
        match self {
            Self::Revert => need(cx.focused_is_modified(), "The focused document has no changes"),
            // Where the focused document has no changes, Save means the others.
            Self::Save | Self::SaveAll if !cx.has_unsaved() && !cx.live_changes().is_empty() => {
                Some("Live changes are not saved until they are kept".to_owned())
            }
            Self::Save | Self::SaveAll => need(cx.has_unsaved(), "There are no changes to save"),
            Self::Undo => {
                let is_under_way = cx.making.is_some() || !cx.view.unfinished.is_empty();
                need(is_under_way || cx.next_step(false).is_some(), "There is nothing to undo")
            }
            Self::Redo => need(cx.next_step(true).is_some(), "There is nothing to redo"),
            Self::Cut | Self::Copy | Self::Delete if cx.view.cells_meant(cx.selection).is_some() => None,
            Self::Cut | Self::Copy if matches!(cx.selection, Selection::Document(_)) => {
                Some("Select entities, waypoints or states first".to_owned())
            }
            Self::Delete | Self::Duplicate if let Selection::Document(doc) = cx.selection => {
                let can = if self == Self::Delete { can_delete_file } else { can_duplicate_file };
                let verb = if self == Self::Delete { "deleted" } else { "duplicated" };
                let why = format!("This file cannot be {verb} as a whole: select something in it first");
                need(doc.kind().is_some_and(can), &why)
            }
            Self::Duplicate if matches!(cx.selection, Selection::Tiles { .. }) => {
                Some("Tiles are one for each place of the picture, and cannot be duplicated".to_owned())
            }
            Self::Cut | Self::Copy | Self::Delete | Self::Duplicate => {
                need(!cx.selection.is_empty(), "Select something first")
            }
            Self::NewStampFromCells if holds_values(cx) => {
                Some("Stamps hold tiles; this layer holds values".to_owned())
            }
            Self::NewStampFromCells
            | Self::CropToCells
            | Self::FillCells
            | Self::FlipCellsH
            | Self::FlipCellsV
            | Self::RotateCells => {
                let has_cells = cx.level().is_some_and(|(doc, _)| cx.view.cells.contains_key(doc));
                need(has_cells, "Select tiles first")
            }
            Self::NewStampFromBrush => new_stamp_of(cx.view, cx.layer()).err(),
            Self::InvertCells => need(has_level, "Open a level first"),
            Self::ExtractParent => need(!cx.selection.definitions().is_empty(), "Select definitions first"),
            Self::InlineParent => {
                let one = cx.selection.one_definition();
                let has_family = |(doc, name): (&_, &crate::model::Name)| {
                    let inherits = cx.project.def(doc, name).is_some_and(|def| !def.inherits.is_empty());
                    inherits || !cx.resolution.children_of(name).is_empty()
                };
                need(one.is_some_and(has_family), "Select one definition that inherits or is inherited first")
            }
            Self::NewTileset => need(cx.workspace.root().is_some(), "Open a project first"),
            Self::AddTiles => need(!cx.resolution.tilesets.is_empty(), "The project has no tileset"),
            Self::ResizeLevel | Self::CropLevel | Self::DeleteLevel => {
                let doc = cx.selection.level_or(cx.view.level.as_ref());
                need(doc.is_some_and(|doc| cx.project.level(doc).is_some()), "Open a level first")
            }
            Self::LayOutMachine => {
                let shown = cx.view.machine.as_ref().and_then(|(doc, name)| cx.project.machine(doc, name));
                need(
                    shown.is_some_and(|machine| !machine.root.states.is_empty()),
                    "Open a machine that has states first",
                )
            }
            Self::ClearProbe => {
                let has_probe = cx.level().is_some_and(|(doc, _)| cx.view.probe.ends.contains_key(doc));
                need(has_probe, "No path is looked for in this level")
            }
            Self::SuggestWaypoints | Self::SuggestOnPlatforms | Self::SuggestLattice => {
                let is_shown = |layer| cx.level().is_some_and(|(doc, level)| cx.view.shows(doc, level, layer));
                let is_open = |layer| cx.level().is_some_and(|(_, level)| level.lock_of(layer).is_none());
                need(
                    cx.layer().is_some_and(|layer| layer.waypoints().is_some() && is_shown(layer) && is_open(layer)),
                    "Choose a waypoint layer that is shown and not locked first",
                )
            }
            Self::Align(alignment) => {
                let n_things = cx.level().map_or(0, |(doc, _)| cx.selection.ids_in(doc).len());
                alignment.refusal(n_things).map(str::to_owned)
            }
            Self::NewLevel => need(cx.project.file().is_some(), "Open a project first"),
            Self::ReplaceInLevels => need(cx.project.levels().next().is_some(), "The project has no levels"),
            Self::AddLayer | Self::FindEntities | Self::PointByKeys => need(has_level, "Open a level first"),
            Self::RaiseLayer => need(can_step(cx, true), "No layer is in front of it"),
            Self::LayerInFront => {
                let n = cx.level().map_or(0, |(_, level)| level.all_layers().len());
                need(cx.active_layer().is_some_and(|at| at + 1 < n), "No layer is in front of it")
            }
            Self::UngroupLayers => match cx.level().zip(cx.active_layer()) {
                Some(((_, level), at)) => ungroup_problem(level, at),
                None => Some("Open a level and choose a group of layers first".to_owned()),
            },
            Self::FoldGroup => {
                let is_in_group = |level: &Level, at| {
                    level.nth_layer(at).is_some_and(|layer| layer.is_group()) || !level.groups_around(at).is_empty()
                };
                let is_there = cx.level().zip(cx.active_layer()).is_some_and(|((_, level), at)| is_in_group(level, at));
                need(is_there, "Choose a group of layers, or a layer in one, first")
            }
            Self::LayerCells => {
                need(cx.layer().is_some_and(|layer| layer.cells().is_some()), "Choose a layer of tiles or values first")
            }
            Self::MergeLayerDown => match cx.level() {
                Some((_, level)) => merge_problem(level, &cx.layers_meant()),
                None => Some("Open a level and choose a layer first".to_owned()),
            },
            Self::LowerLayer => need(can_step(cx, false), "No layer is behind it"),
            Self::LayerBehind => need(cx.active_layer().is_some_and(|at| at > 0), "No layer is behind it"),
            Self::DeleteLayer if let Some((locked, layer)) = lock_in(cx) => Some(if locked == layer {
                format!("Unlock “{layer}” to delete it")
            } else {
                format!("Unlock “{locked}” to delete “{layer}”")
            }),
            Self::DuplicateLayer | Self::GroupLayers | Self::DeleteLayer | Self::LockLayer | Self::LayerInGame => {
                need(cx.layer().is_some(), "Open a level and choose a layer first")
            }
            Self::LockOtherLayers | Self::ShowLayerAlone => {
                need(cx.level().is_some_and(|(_, level)| level.all_layers().len() > 1), "The level has no other layers")
            }
            Self::EditText => need(
                text_of(cx).is_some(),
                "Select one entity whose text the level shows, on a layer that is not locked, first",
            ),
            Self::Rename => need(
                cx.selection.is_renamable() || text_of(cx).is_some(),
                "Select a level, layer, definition, machine or state first",
            ),
            Self::ZoomFit
            | Self::ZoomReset
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::PlayPause
            | Self::PlayFromHere
            | Self::StepTick => need(has_level, "Open a level first"),
            Self::CameraHome => match cx.preview {
                None => Some("Play the level first".to_owned()),
                Some(preview) => need(
                    preview.cameras.is_any_there(),
                    "The level has no camera: give an entity the component Camera, or CameraTarget and set Camera.follow",
                ),
            },
            Self::CameraFollow => match cx.preview {
                None => Some("Play the level first".to_owned()),
                Some(preview) => need(
                    preview.session.world().possessed().is_some() || !selected_running(cx, preview).is_empty(),
                    "Select a running entity first",
                ),
            },
            Self::CameraFree => need(cx.preview.is_some(), "Play the level first"),
            Self::Stop => need(cx.is_preview_on, "Nothing is playing"),
            Self::StepBack | Self::PlayFromStart => need(
                cx.preview.is_some_and(|it| it.session.tick() > it.session.range()[0]),
                "Play the level first; this is its first moment",
            ),
            Self::Branch => need(
                cx.preview.is_some_and(|it| it.session.tick() < it.session.range()[1]),
                "Go back to an earlier moment of the playing level first",
            ),
            Self::DropGhost => need(cx.preview.is_some_and(|it| it.session.ghost().is_some()), "There is no ghost"),
            Self::RepeatFrom | Self::RepeatTo | Self::RepeatAll => need(cx.preview.is_some(), "Nothing is playing"),
            Self::SaveScenario => need(cx.preview.is_some_and(|it| it.session.tick() > 0), "Play the level first"),
            Self::Slower | Self::Faster => need(cx.preview.is_some(), "Nothing is playing"),
            Self::HideOverlays => need(cx.view.insight.on.has_any(), "No overlay is on"),
            Self::WhyStill | Self::FreezeOnContact | Self::Drive => {
                let preview = cx.preview.filter(|preview| Some(&preview.level) == cx.view.level.as_ref());
                let selected = preview.map(|preview| selected_running(cx, preview).len());
                match (self, selected) {
                    (_, None) => Some("Play the level first".to_owned()),
                    // What is asked for can be ended whatever is selected.
                    (Self::FreezeOnContact, _) if cx.view.insight.freeze.is_some() => None,
                    (Self::WhyStill, _) if cx.view.insight.why.is_some() => None,
                    (Self::FreezeOnContact, Some(n)) => {
                        need(n == 1 || n == 2, "Select one or two running entities first")
                    }
                    (_, Some(n)) => need(n == 1, "Select one running entity first"),
                }
            }
            Self::DrivePlayer => match cx.preview {
                None => Some("Play the level first".to_owned()),
                Some(preview) => {
                    need(preview.session.world().possessed().is_some(), "The keys drive the player already")
                }
            },
            Self::ToggleProfilingHidden => {
                need(cx.view.insight.profiler.is_on, "Ticks are not measured: switch on Measure ticks first")
            }
            Self::NextProblem | Self::PreviousProblem => {
                need(!cx.derived.problems().is_empty(), "There are no problems")
            }
            Self::FixSafe => {
                let any = cx.derived.problems().iter().any(|p| p.problem.fixes.iter().any(|fix| fix.safe));
                need(any, "No problem has a fix that is safe")
            }
            Self::SwitchValues => need(
                cx.preview.is_some() || !cx.project.tuning_overlay.is_empty(),
                "Play the level and change a constant first",
            ),
            Self::KeepValues | Self::DropValues => need(!cx.tried_values().is_empty(), "No value is being tried out"),
            Self::KeepLive | Self::DropLive => need(!cx.live_changes().is_empty(), "Nothing is live"),
            Self::Mute => need(cfg!(feature = "sound"), WITHOUT_SOUND),
            Self::NextDocument => need(cx.view.open_levels.len() > 1, "Only one level is open"),
            Self::Tool(_) => need(has_level, "Open a level first"),
            Self::SmallerBrush | Self::LargerBrush | Self::ToggleRoundBrush if !cx.view.tool.has_tip() => {
                Some("Choose the pencil, the eraser or the terrain tool first".to_owned())
            }
            Self::SmallerBrush => {
                need(cx.view.options.tip.size() > 1, "The brush covers a single cell or copy already")
            }
            Self::LargerBrush => need(cx.view.options.tip.size() < BrushTip::MAX, "This is the largest brush"),
            Self::ToggleRoundBrush => None,
            Self::ToggleOutlines => need(cx.view.tool.has_outline(), "Choose the rectangle or the ellipse first"),
            Self::ToggleByTerrain => need(
                cx.view.tool.finds_tiles(),
                "Choose the bucket, the magic wand, Replace tile or Select same tile first",
            ),
            Self::NewProject
            | Self::OpenProject
            | Self::Export
            | Self::Quit
            | Self::Paste
            | Self::SelectAll
            | Self::Deselect
            | Self::RenameAny
            | Self::CommandPalette
            | Self::QuickOpen
            | Self::ToggleGrid
            | Self::ToggleSnap
            | Self::ToggleSnapPixels
            | Self::ToggleGuides
            | Self::ToggleHighlight
            | Self::ToggleColliders
            | Self::TogglePaths
            | Self::ToggleLinks
            | Self::ToggleReferences
            | Self::ToggleFields
            | Self::ToggleStateLabels
            | Self::ToggleTileShapes
            | Self::Overlay(_)
            | Self::ToggleProfiling
            | Self::ToggleGhosts
            | Self::ToggleLive
            | Self::ToggleTheme
            | Self::ResetLayout
            | Self::Show(_)
            | Self::NextPane
            | Self::PreviousPane
            | Self::FlipStampH
            | Self::FlipStampV
            | Self::RotateStamp
            | Self::ToggleRandomBrush
            | Self::ToggleAllLayers
            | Self::Shortcuts
            | Self::Controls
            | Self::About => None,
        }
    }

    fn means(self, cx: &Cx<'_>) -> Option<String> {
        if let (Self::LockLayer, Some(layer)) = (self, cx.layer()) {
            return about_layers(cx, if layer.locked { "Unlock" } else { "Lock" }, "");
        }
        let verb_of_many = match self {
            Self::DuplicateLayer => Some("Duplicate"),
            Self::MergeLayerDown => Some("Merge"),
            Self::GroupLayers => Some("Group"),
            Self::DeleteLayer => Some("Delete"),
            Self::RaiseLayer => Some("Bring forward"),
            Self::LowerLayer => Some("Send back"),
            _ => None,
        };
        if let Some(verb) = verb_of_many {
            return about_layers(cx, verb, "").filter(|_| cx.layers_meant().len() > 1);
        }
        if self == Self::LockOtherLayers {
            let are_locked = self.is_on(cx).unwrap_or(false);
            return Some(format!("{} other layers", if are_locked { "Unlock" } else { "Lock" }));
        }
        if self == Self::ToggleHighlight && self.is_on(cx) == Some(true) {
            return Some("Stop highlighting the active layer".to_owned());
        }
        if self == Self::ShowLayerAlone && self.is_on(cx) == Some(true) {
            return Some("Show the other layers again".to_owned());
        }
        if let (Self::LayerInGame, Some(layer)) = (self, cx.layer()) {
            return about_layers(cx, if layer.visible { "Hide" } else { "Show" }, " in the game");
        }
        let is_redo = self == Self::Redo;
        if let (Self::Undo, Some(making)) = (self, cx.making) {
            return Some(format!("Drop what is not done yet: {making}"));
        }
        let step = if is_redo || self == Self::Undo { cx.next_step(is_redo)? } else { return None };
        Some(format!("{}: {}", self.spec().text, step.label()))
    }

    fn asks(self, cx: &Cx<'_>) -> bool {
        let is_file = |doc: &DocPath| doc.kind().is_some_and(|kind| kind != DocKind::Stamp && can_delete_file(kind));
        let is_thing = match cx.selection {
            Selection::Document(doc) => is_file(doc),
            Selection::Machine { state, transition: None, .. } => state.is_empty(),
            _ => false,
        };
        is_thing && matches!(self, Self::Duplicate | Self::Delete)
    }

    fn is_on(self, cx: &Cx<'_>) -> Option<bool> {
        let overlays = &cx.view.overlays;
        Some(match self {
            Self::FindEntities => cx.view.is_finding,
            Self::CameraHome => return cx.preview.map(|preview| preview.camera.mode() == CameraMode::Game),
            Self::CameraFollow => return cx.preview.map(|preview| preview.camera.mode() == CameraMode::Follow),
            Self::CameraFree => return cx.preview.map(|preview| preview.camera.mode() == CameraMode::Free),
            Self::ToggleGrid => overlays.grid,
            Self::ToggleSnap => cx.view.snap,
            Self::ToggleSnapPixels => cx.view.snap_pixels,
            Self::ToggleGuides => cx.view.options.guides,
            Self::ToggleHighlight => overlays.highlight,
            Self::ToggleRandomBrush => cx.view.random_brush,
            Self::ToggleAllLayers => cx.view.is_over_all_layers,
            Self::ToggleRoundBrush => cx.view.options.tip.shape == TipShape::Round,
            Self::ToggleOutlines => cx.view.options.shapes == ShapeStyle::Outlined,
            Self::ToggleByTerrain => cx.view.options.matching == Matching::Terrain,
            Self::ToggleLinks => overlays.links,
            Self::ToggleReferences => overlays.references,
            Self::ToggleFields => overlays.fields,
            Self::ToggleColliders => overlays.colliders,
            Self::TogglePaths => overlays.paths,
            Self::ToggleStateLabels => overlays.states,
            Self::ToggleTileShapes => overlays.tile_shapes,
            Self::Overlay(overlay) => cx.view.insight.on.has(overlay),
            Self::WhyStill => cx.view.insight.why.is_some(),
            Self::FreezeOnContact => cx.view.insight.freeze.is_some(),
            Self::ToggleProfiling => cx.view.insight.profiler.is_on,
            Self::ToggleProfilingHidden => cx.view.insight.profiler.is_on_hidden,
            Self::ToggleGhosts => overlays.ghosts,
            Self::RepeatAll => return cx.preview.map(|preview| preview.repeated.is_some()),
            Self::ToggleLive => cx.view.live_edits,
            Self::Mute => cx.view.is_muted,
            Self::LockLayer => return cx.layer().map(|layer| layer.locked),
            Self::LockOtherLayers => {
                let ((_, level), layer) = cx.level().zip(cx.layer())?;
                return Some(level.all_layers().len() > 1 && level.are_others_locked(&layer.name));
            }
            Self::ShowLayerAlone => {
                let ((doc, level), layer) = cx.level().zip(cx.layer())?;
                return Some(cx.view.shows_alone(doc, level, &layer.name));
            }
            Self::LayerInGame => return cx.layer().map(|layer| layer.visible),
            Self::FoldGroup => {
                let ((doc, _), layer) = cx.level().zip(cx.layer())?;
                return Some(layer.is_group() && cx.view.is_folded(doc, &layer.name));
            }
            Self::Tool(tool) => cx.view.tool == tool,
            Self::NewProject
            | Self::NewLevel
            | Self::AddLayer
            | Self::DuplicateLayer
            | Self::MergeLayerDown
            | Self::LayerInFront
            | Self::LayerBehind
            | Self::RaiseLayer
            | Self::LowerLayer
            | Self::GroupLayers
            | Self::UngroupLayers
            | Self::LayerCells
            | Self::DeleteLayer
            | Self::OpenProject
            | Self::Save
            | Self::SaveAll
            | Self::Revert
            | Self::Export
            | Self::Quit
            | Self::Undo
            | Self::Redo
            | Self::Cut
            | Self::Copy
            | Self::Paste
            | Self::Duplicate
            | Self::Delete
            | Self::SelectAll
            | Self::Deselect
            | Self::Rename
            | Self::RenameAny
            | Self::EditText
            | Self::ReplaceInLevels
            | Self::ExtractParent
            | Self::InlineParent
            | Self::NewTileset
            | Self::AddTiles
            | Self::NewStampFromCells
            | Self::NewStampFromBrush
            | Self::ResizeLevel
            | Self::CropLevel
            | Self::DeleteLevel
            | Self::CropToCells
            | Self::LayOutMachine
            | Self::SuggestWaypoints
            | Self::SuggestOnPlatforms
            | Self::SuggestLattice
            | Self::ClearProbe
            | Self::Align(_)
            | Self::CommandPalette
            | Self::QuickOpen
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::ZoomFit
            | Self::ZoomReset
            | Self::ToggleTheme
            | Self::ResetLayout
            | Self::NextDocument
            | Self::PointByKeys
            | Self::NextPane
            | Self::PreviousPane
            | Self::PlayPause
            | Self::Stop
            | Self::StepTick
            | Self::StepBack
            | Self::PlayFromStart
            | Self::PlayFromHere
            | Self::Branch
            | Self::DropGhost
            | Self::RepeatFrom
            | Self::RepeatTo
            | Self::SaveScenario
            | Self::Slower
            | Self::Faster
            | Self::HideOverlays
            | Self::SwitchValues
            | Self::SmallerBrush
            | Self::LargerBrush
            | Self::KeepValues
            | Self::DropValues
            | Self::KeepLive
            | Self::DropLive
            | Self::FlipStampH
            | Self::FlipStampV
            | Self::RotateStamp
            | Self::InvertCells
            | Self::FillCells
            | Self::FlipCellsH
            | Self::FlipCellsV
            | Self::RotateCells
            | Self::Show(_)
            | Self::FixSafe
            | Self::NextProblem
            | Self::PreviousProblem
            | Self::Shortcuts
            | Self::Controls
            | Self::Drive
            | Self::DrivePlayer
            | Self::About => return None,
        })
    }
}
