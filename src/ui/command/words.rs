//! What each command is called, the sentence that explains it, and the menu it stands in.

use super::Menu;
use crate::{
    editor::{Command, Overlay, Pane},
    tools::{Alignment, ToolKind, ToolSpec},
};

/// Other words that a command is looked for by.
pub(super) fn also(command: Command) -> &'static str {
    use Command as C;
    match command {
        C::NewProject => "create project",
        C::NewLevel => "add level, create level, new map, new room",
        C::AddLayer => "new layer, create layer",
        C::DuplicateLayer => "copy layer",
        C::DeleteLayer => "remove layer",
        C::GroupLayers => "new group, folder",
        C::NewTileset => "add tileset, import tileset, import image",
        C::SuggestWaypoints | C::SuggestOnPlatforms | C::SuggestLattice => {
            "generate waypoints, generate nodes, navigation graph"
        }
        C::ResizeLevel => "level size, change size",
        C::Delete => "remove, erase",
        C::Duplicate => "clone",
        C::FindEntities => "search entities",
        C::ReplaceInLevels => "search and replace, swap tiles",
        C::ToggleTheme => "light theme, dark theme, light mode, dark mode, colors, appearance",
        C::ToggleColliders => "collisions, hitboxes",
        C::Overlay(overlay) => looked_for_by(overlay),
        C::HideOverlays => "no overlays, none",
        C::WhyStill => "why is it stuck, why does it not move, stands still, blocked, no path",
        C::Drive => "possess, control, take over, play as",
        C::DrivePlayer => "release, unpossess, stop driving",
        C::FreezeOnContact => "break on contact, pause when they touch, breakpoint, collision",
        C::Show(Pane::Profiler) => "performance, frame time, tick time, slow, frames a second, fps, cost",
        C::Show(_) => "pane, panel, window, tab",
        C::ToggleProfiling => "profiler, record performance, stop profiling",
        C::ToggleProfilingHidden => "profiler, record performance in the background",
        C::Tool(ToolKind::Probe) => "path finding, test a path, reachability, clearance, A*",
        C::PlayPause => "run, start, test the level",
        C::Stop => "end the preview",
        C::ZoomFit => "fit, show all",
        C::ZoomReset => "actual size, 100%",
        C::CameraHome => "game camera, view of the game, reset camera",
        C::CameraFollow => "follow entity, track, lock on",
        C::CameraFree => "free camera, unlock camera, detach",
        C::Shortcuts => "keys, hotkeys, key bindings, help",
        C::Controls => "key bindings, rebind, gamepad, controller, joystick, dead zone",
        C::CommandPalette => "search commands",
        C::QuickOpen => "open level, open file, search",
        C::ResetLayout => "reset panes, default panes, windows",
        C::Quit => "exit, close",
        _ => "",
    }
}

/// The menu, the name and one sentence.
pub(super) fn of(command: Command) -> (Menu, &'static str, &'static str) {
    use Command as C;
    match command {
        C::NewProject => (Menu::File, "New project…", "Make a project in an empty folder"),
        C::OpenProject => (Menu::File, "Open project…", "Open a project's folder"),
        C::QuickOpen => (Menu::File, "Go to…", "Find a level, definition, machine or page by name"),
        C::Save => (Menu::File, "Save", "Write the focused document to its file"),
        C::SaveAll => (Menu::File, "Save all", "Write every changed document"),
        C::Revert => (
            Menu::File,
            "Revert to saved",
            "Discard every change to the focused document since it was saved; can be undone",
        ),
        C::Export => (Menu::File, "Export…", "Write what game builds read, with inheritance resolved"),
        C::Quit => (Menu::File, "Quit", "Close the window"),
        C::Undo => (Menu::Edit, "Undo", "Undo the last step"),
        C::Redo => (Menu::Edit, "Redo", "Redo the undone step"),
        C::Cut => (Menu::Edit, "Cut", "Copy the selection and delete it"),
        C::Copy => (Menu::Edit, "Copy", "Copy the selection"),
        C::Paste => (Menu::Edit, "Paste", "Insert what was copied"),
        C::Duplicate => (Menu::Edit, "Duplicate", "Duplicate the selection"),
        C::Delete => (Menu::Edit, "Delete", "Delete the selection"),
        C::SelectAll => (Menu::Edit, "Select all", "Select everything on the active layer"),
        C::Deselect => (Menu::Edit, "Deselect", "Select nothing"),
        C::InvertCells => (Menu::Edit, "Invert tile selection", "Select the cells that are not selected"),
        C::ToggleAllLayers => (
            Menu::Edit,
            "Tile selection on all layers",
            "Select by what is seen of all layers; copy, move and erase on those shown and unlocked",
        ),
        C::FillCells => (Menu::Edit, "Fill selected tiles", "Fill the selected cells with the brush"),
        C::FlipCellsH => (Menu::Edit, "Flip selected tiles left to right", "Mirror the selected tiles"),
        C::FlipCellsV => (Menu::Edit, "Flip selected tiles top to bottom", "Mirror the selected tiles"),
        C::RotateCells => (Menu::Edit, "Rotate selected tiles", "Rotate the selected tiles clockwise"),
        C::Rename => (Menu::Edit, "Rename…", "Rename the selection, and every use of it"),
        C::RenameAny => (
            Menu::Edit,
            "Rename anything…",
            "Rename a tag, message, field, enum value or anything else with a name, and every use of it",
        ),
        C::EditText => {
            (Menu::Edit, "Edit text", "Edit the text of the selected entity where the level shows it (Enter or F2)")
        }
        C::FindEntities => (
            Menu::Edit,
            "Find entities",
            "Find placed entities by name, definition, tag or a field's value, in the level shown or in all levels",
        ),
        C::ReplaceInLevels => (
            Menu::Edit,
            "Find and replace in levels…",
            "Replace a tile, a stamp, the entities of a definition or a field's value, in all levels or in the one shown",
        ),
        C::ExtractParent => (
            Menu::Edit,
            "Extract common parent…",
            "Move what the selected definitions have in common into a new parent of all of them",
        ),
        C::InlineParent => (Menu::Edit, "Inline parent…", "Merge what a parent declares into those that inherit it"),
        C::NewTileset => (
            Menu::Edit,
            "New tileset…",
            "Make a tileset of a PNG picture; one that is dropped on the window does the same",
        ),
        C::AddTiles => (
            Menu::Edit,
            "Add missing tiles",
            "Make a tile of each part of the tileset's picture that shows something and has none",
        ),
        C::NewStampFromCells => (
            Menu::Edit,
            "New stamp from selection…",
            "Keep the selected tiles as a stamp in the project; of all layers where these are selected",
        ),
        C::NewStampFromBrush => {
            (Menu::Edit, "New stamp from brush…", "Keep what the brush paints as a stamp in the project")
        }
        C::DeleteLevel => (Menu::Level, "Delete level…", "Delete the level and its file"),
        C::ResizeLevel => (
            Menu::Level,
            "Resize level…",
            "Give the level another size, or none, and choose which part of it stays where it is",
        ),
        C::CropToCells => (
            Menu::Level,
            "Crop level to selected tiles",
            "Make the level as large as the rectangle around the selected cells",
        ),
        C::CropLevel => {
            (Menu::Level, "Crop level to content", "Make the level as large as its tiles, entities and waypoints need")
        }
        C::LayOutMachine => (
            Menu::Edit,
            "Lay out machine",
            "Place the states of the machine shown, or those inside the selected state, so that arrows can be followed",
        ),
        C::NewLevel => (Menu::Level, "New level…", "Make a level of a size, with layers to begin with"),
        C::AddLayer => (
            Menu::Level,
            "Add layer…",
            "Add a layer of tiles, entities, waypoints or values, an image or a group, in front of the active one; into it, where that is a group",
        ),
        C::DuplicateLayer => (Menu::Level, "Duplicate layer", "Copy the active layer with all that is on it"),
        C::MergeLayerDown => (
            Menu::Level,
            "Merge layer down",
            "Put the tiles of the active layer on the one behind it in its group, or those of all selected layers on the one behind the others",
        ),
        C::LayerInFront => (Menu::Level, "Layer in front", "Work on the layer in front of the active one"),
        C::LayerBehind => (Menu::Level, "Layer behind", "Work on the layer behind the active one"),
        C::RaiseLayer => (
            Menu::Level,
            "Bring layer forward",
            "Move the active layer before the one in front of it, into a group or out of it",
        ),
        C::LowerLayer => {
            (Menu::Level, "Send layer back", "Move the active layer behind the next one, into a group or out of it")
        }
        C::GroupLayers => (
            Menu::Level,
            "Group layers…",
            "Put the selected layers into a new group, whose name is asked for; others can be dragged into it",
        ),
        C::UngroupLayers => (
            Menu::Level,
            "Ungroup layers",
            "Take the active group apart; its layers get its opacity, tint, offset and parallax and look as they did",
        ),
        C::LayerCells => (
            Menu::Level,
            "Set tile size of layer…",
            "Give the active layer cells of another size; its tiles keep their places, or their columns and rows",
        ),
        C::FoldGroup => (Menu::Level, "Fold group", "Whether the Layers pane hides what is in the active group"),
        C::LockLayer => (Menu::Level, "Lock layer", "Whether what is on the active layer is protected from editing"),
        C::LockOtherLayers => (
            Menu::Level,
            "Lock other layers",
            "Protect what is on the other layers from editing, or no longer where all of them are locked",
        ),
        C::ShowLayerAlone => (
            Menu::Level,
            "Show only this layer",
            "Hide the other layers in this window, and then show again what was shown before; the game is not changed",
        ),
        C::DeleteLayer => (Menu::Level, "Delete layer", "Delete the active layer and what is on it"),
        C::LayerInGame => (
            Menu::Level,
            "Draw layer in the game",
            "Whether the game draws the active layer; its eye in the Layers pane hides it in this window alone",
        ),
        C::SuggestWaypoints => {
            (Menu::Level, "Suggest waypoints", "Add waypoints at the corners of the walls that have none")
        }
        C::SuggestOnPlatforms => (
            Menu::Level,
            "Suggest waypoints on platforms",
            "Add waypoints at the ends of what can be stood on, and between them where these are far apart",
        ),
        C::SuggestLattice => (
            Menu::Level,
            "Suggest a lattice of waypoints",
            "Add waypoints evenly all over what is open, at most 500 of them",
        ),
        C::Align(alignment) => {
            let (text, tip) = aligning(alignment);
            (Menu::Level, text, tip)
        }
        C::NextProblem => (Menu::Edit, "Next problem", "Go to the next problem"),
        C::PreviousProblem => (Menu::Edit, "Previous problem", "Go back to the problem before"),
        C::FixSafe => (Menu::Edit, "Apply safe fixes", "Apply every safe quick fix"),
        C::CommandPalette => (Menu::View, "Command palette…", "Find any command by name"),
        C::ZoomIn => (Menu::View, "Zoom in", "To the next larger size"),
        C::ZoomOut => (Menu::View, "Zoom out", "To the next smaller size"),
        C::ZoomFit => (Menu::View, "Show whole level", "Fit the level into the view"),
        C::ZoomReset => (Menu::View, "Actual size", "One pixel of the game per point"),
        C::CameraHome => (Menu::View, "Camera: home", "While the level plays: look at it as the game's camera does"),
        C::CameraFollow => (
            Menu::View,
            "Camera: follow selected",
            "While the level plays: follow the selected entity, or the one that is driven",
        ),
        C::CameraFree => {
            (Menu::View, "Camera: free", "While the level plays: follow nothing; moving the view by hand does the same")
        }
        C::ToggleGrid => (Menu::View, "Grid", "Show the tile grid"),
        C::ToggleSnap => {
            (Menu::View, "Snap to grid", "Things placed and moved keep to the grid; not while Alt is held")
        }
        C::ToggleSnapPixels => (
            Menu::View,
            "Snap to pixels",
            "Things placed and moved keep to whole pixels where they do not keep to the grid; not while Alt is held",
        ),
        C::ToggleGuides => (
            Menu::View,
            "Snap to entities",
            "Things placed and moved line up with the edges and centers of others in sight; not while Alt is held",
        ),
        C::ToggleHighlight => {
            (Menu::View, "Highlight active layer", "Show the other layers pale while the level is edited")
        }
        C::ToggleLinks => (Menu::View, "Waypoint links", "Show the links that waypoints make by themselves"),
        C::ToggleReferences => (
            Menu::View,
            "Entity references",
            "Show with arrows which entities the fields of all entities refer to; those of what is selected always show",
        ),
        C::ToggleFields => (
            Menu::View,
            "Areas, paths and texts",
            "Show the areas, paths and texts of all entities; those of what is selected always show",
        ),
        C::ToggleColliders => (Menu::View, "Colliders", "Show colliders"),
        C::TogglePaths => (Menu::View, "Paths", "Show the paths that agents follow"),
        C::ClearProbe => (Menu::View, "Clear path probe", "Look for no path in this level any more"),
        C::ToggleStateLabels => (
            Menu::View,
            "State labels",
            "Show the states of every entity while it plays; those of what is selected or under the pointer always show",
        ),
        C::ToggleTileShapes => {
            (Menu::View, "Tile shapes", "Show what is solid of each tile, on the picture in the Tileset pane")
        }
        C::NextDocument => (Menu::View, "Next open level", "Show the next of the open levels"),
        C::PointByKeys => (
            Menu::View,
            "Point by keys",
            "Give the keyboard to the level: arrows move the pointer, by a pixel with Alt, far with Ctrl; Space or Enter is the button",
        ),
        C::NextPane => (Menu::View, "Next pane", "Give the keyboard to the next pane; Tab goes on from there"),
        C::PreviousPane => (Menu::View, "Previous pane", "Give the keyboard to the pane before"),
        C::Show(pane) => (Menu::View, pane.title(), pane.tip()),
        C::ResetLayout => (Menu::View, "Reset layout", "Put every pane back where it was at first"),
        C::ToggleTheme => (Menu::View, "Switch theme", "Change between the themes, dark and light"),
        C::Tool(tool) => {
            let ToolSpec { name, tip, .. } = tool.spec();
            (Menu::Tools, name, tip)
        }
        C::SmallerBrush => {
            (Menu::Tools, "Smaller brush", "The pencil, the eraser and the terrain tool cover fewer cells")
        }
        C::LargerBrush => (Menu::Tools, "Larger brush", "The pencil, the eraser and the terrain tool cover more cells"),
        C::ToggleRoundBrush => (
            Menu::Tools,
            "Round brush",
            "The pencil, the eraser and the terrain tool cover a disk of cells instead of a square",
        ),
        C::ToggleOutlines => (
            Menu::Tools,
            "Outlines only",
            "Rectangles and ellipses are outlines instead of filled; Ctrl does the opposite",
        ),
        C::ToggleByTerrain => {
            (Menu::Tools, "Fill by terrain", "The bucket and Replace tile take all tiles of a terrain for the same")
        }
        C::FlipStampH => (Menu::Tools, "Flip brush left to right", "Mirror what the brush paints"),
        C::FlipStampV => (Menu::Tools, "Flip brush top to bottom", "Mirror what the brush paints"),
        C::RotateStamp => (Menu::Tools, "Rotate brush", "Rotate what the brush paints clockwise"),
        C::ToggleRandomBrush => {
            (Menu::Tools, "Random brush", "Paint one of the brush's tiles at random on each cell, by their weights")
        }
        C::PlayPause => (Menu::Preview, "Play or pause", "Play the level"),
        C::Stop => (Menu::Preview, "Stop", "End the preview and show the level as it is edited"),
        C::StepTick => (Menu::Preview, "Step", "Run one tick"),
        C::StepBack => (Menu::Preview, "Step back", "Go back by one tick"),
        C::PlayFromStart => {
            (Menu::Preview, "Play from the start", "Go back to the first tick and play the level from there")
        }
        C::PlayFromHere => {
            (Menu::Preview, "Play from here", "Play the level from its first tick with the player where the pointer is")
        }
        C::Branch => (
            Menu::Preview,
            "Branch from here",
            "Begin another future at the moment shown, with the level as it is edited now; the earlier one goes on as a ghost",
        ),
        C::Mute => (Menu::Preview, "Mute", "Do not hear the sounds of the level that plays"),
        C::ToggleGhosts => (
            Menu::Preview,
            "Ghosts",
            "After a change in the past, show the earlier future as a ghost beside the new one",
        ),
        C::DropGhost => (Menu::Preview, "Remove ghost", "End the ghost; the next change in the past makes another one"),
        C::RepeatFrom => (Menu::Preview, "Loop from here", "Play again and again from the moment shown"),
        C::RepeatTo => (Menu::Preview, "Loop to here", "Play again and again up to the moment shown"),
        C::RepeatAll => (Menu::Preview, "Loop", "Play the recording or the chosen range again and again, or no more"),
        C::SaveScenario => (
            Menu::Preview,
            "Save as scenario",
            "Keep what was played up to the moment shown as a scenario: its keys, messages and constants, and where the player \
             and what is selected end up",
        ),
        C::Slower => (Menu::Preview, "Slower", "Half the speed"),
        C::Faster => (Menu::Preview, "Faster", "Twice the speed"),
        C::Overlay(overlay) => {
            let (text, tip) = overlaying(overlay);
            (Menu::Preview, text, tip)
        }
        C::HideOverlays => (Menu::Preview, "No overlays", "Switch off every overlay of the running level"),
        C::WhyStill => (
            Menu::Preview,
            "Why is it stuck?",
            "Explain why the selected entity of the running level does not move, and mark the place where it is stopped",
        ),
        C::FreezeOnContact => (
            Menu::Preview,
            "Freeze on contact",
            "Pause in the tick in which the two selected entities begin to touch; one alone, when it begins to touch anything",
        ),
        C::Drive => (
            Menu::Preview,
            "Drive with the keyboard",
            "Have the keys drive the selected entity of the running level instead of the player",
        ),
        C::DrivePlayer => (Menu::Preview, "Give the keys back to the player", "Have the keys drive the player again"),
        C::ToggleProfiling => (
            Menu::Preview,
            "Measure ticks",
            "Measure what each tick spends its time on, while the Profiler pane or the overlay of tick time is shown",
        ),
        C::ToggleProfilingHidden => (
            Menu::Preview,
            "Measure ticks when hidden",
            "Measure what each tick spends its time on also while nothing shows it",
        ),
        C::SwitchValues => {
            (Menu::Preview, "Switch between A and B", "Play with the other set of tuned values, at once")
        }
        C::KeepValues => (
            Menu::Preview,
            "Keep changed values",
            "Write the values being tried out into the tuning files, as one step",
        ),
        C::DropValues => (Menu::Preview, "Drop changed values", "Go back to the values in the tuning files"),
        C::ToggleLive => (
            Menu::Preview,
            "Edits while playing are live",
            "While a level plays, edits change the running world and not the files; Stop takes back what was not kept",
        ),
        C::KeepLive => {
            (Menu::Preview, "Keep live changes", "Make everything that is live an edit of the project, as one step")
        }
        C::DropLive => (Menu::Preview, "Drop live changes", "Take back everything that is live, as one step"),
        C::Controls => (Menu::Preview, "Controls…", "The keys and gamepad buttons that drive players"),
        C::Shortcuts => (Menu::Help, "Keyboard shortcuts", "Every key"),
        C::About => (Menu::Help, "About Levelwright", "Version and license"),
    }
}

fn overlaying(overlay: Overlay) -> (&'static str, &'static str) {
    match overlay {
        Overlay::Contacts => {
            ("Contacts", "Show where bodies touch, with normals, depths and the impulses of the last tick")
        }
        Overlay::Velocities => {
            ("Velocities", "Show how fast bodies move, and where they would be a quarter of a second later")
        }
        Overlay::Forces => {
            ("Forces", "Show what acted on bodies in the last tick: gravity, zones, and all else together")
        }
        Overlay::Sleeping => {
            ("Sleeping bodies", "Show which bodies are at rest, so that the solver does not move them")
        }
        Overlay::BroadPhase => (
            "Broad phase",
            "Show the bounding boxes of colliders, the squares that they lie in, and the pairs that are near",
        ),
        Overlay::Axes => (
            "Separating axes",
            "Show the axes of the two selected entities, or of one and the tile under the pointer, with both projections",
        ),
        Overlay::Sight => ("Sight", "Show where entities look, and whom they see"),
        Overlay::Messages => {
            ("Messages as arrows", "Show messages from their senders to their receivers for half a second")
        }
        Overlay::Searches => (
            "Searches in order",
            "Show the cells that searches for paths examined, by their order: of the selected entities, or of all",
        ),
        Overlay::Clearance => ("Clearance", "Show how wide an agent fits where, for the size of the selected one"),
        Overlay::Jumps => ("Jump links", "Show the ledges, drops and jumps of the selected walker"),
        Overlay::Traffic => ("Traffic", "Show in which cells walkers and flyers stood or passed of late"),
        Overlay::Trails => ("Trails", "Show where entities were in the last five seconds: the selected ones, or all"),
        Overlay::TickTime => (
            "Tick time by place",
            "Show in which cells the entities are that ticks spend their time on: machines, paths, walking and solver",
        ),
        Overlay::Energy => (
            "Energy and momentum",
            "Plot the energy and momentum of the selected bodies, or of all, in the Preview pane",
        ),
        Overlay::Cameras => ("Cameras", "Show what the game's cameras see and follow, their dead zones and bounds"),
    }
}

/// Other words that an overlay is looked for by.
fn looked_for_by(overlay: Overlay) -> &'static str {
    match overlay {
        Overlay::Contacts => "overlay, collisions, normals, penetration, impulse",
        Overlay::Velocities => "overlay, speed, motion",
        Overlay::Forces => "overlay, acceleration, gravity, wind",
        Overlay::Sleeping => "overlay, rest",
        Overlay::BroadPhase => "overlay, AABB, bounding boxes",
        Overlay::Axes => "overlay, SAT, collision inspector, minimum translation vector",
        Overlay::Sight => "overlay, cone, vision, field of view",
        Overlay::Messages => "overlay, events",
        Overlay::Searches => "overlay, A*, open and closed set",
        Overlay::Clearance => "overlay, width",
        Overlay::Jumps => "overlay, ledges, reach",
        Overlay::Traffic => "overlay, heat map",
        Overlay::Trails => "overlay, trajectory, history of places",
        Overlay::TickTime => "overlay, profiler, heat map, cost, performance, slow",
        Overlay::Energy => "overlay, kinetic, potential, plot",
        Overlay::Cameras => "overlay, viewport, dead zone, view of the game, bounds",
    }
}

fn aligning(alignment: Alignment) -> (&'static str, &'static str) {
    match alignment {
        Alignment::Left => {
            ("Align left edges", "Move the selected entities and waypoints to the left edge of the leftmost")
        }
        Alignment::Right => {
            ("Align right edges", "Move the selected entities and waypoints to the right edge of the rightmost")
        }
        Alignment::Top => {
            ("Align top edges", "Move the selected entities and waypoints to the top edge of the topmost")
        }
        Alignment::Bottom => {
            ("Align bottom edges", "Move the selected entities and waypoints to the bottom edge of the bottommost")
        }
        Alignment::CentersHorizontally => (
            "Align centers horizontally",
            "Move the selected entities and waypoints left or right until their centers are one above the other",
        ),
        Alignment::CentersVertically => (
            "Align centers vertically",
            "Move the selected entities and waypoints up or down until their centers are beside each other",
        ),
        Alignment::DistributeHorizontally => (
            "Distribute horizontally",
            "Make the gaps between the selected entities and waypoints equal, from left to right",
        ),
        Alignment::DistributeVertically => (
            "Distribute vertically",
            "Make the gaps between the selected entities and waypoints equal, from top to bottom",
        ),
    }
}
