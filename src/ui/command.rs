//! The words, keys and picture of each command, and its menu.
//!
//! When a command makes sense is `sense`'s; what it does is `app::act`'s. What tools are called and their keys are in
//! [`ToolKind::spec`].

use egui::{Key, KeyboardShortcut, Modifiers};
use egui_material_icons::icons;

use crate::{
    editor::{Command, Pane},
    tools::{Alignment, ToolKind, ToolSpec},
};

/// Which menu a command stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is a menu's title")]
pub enum Menu {
    File,
    Edit,
    View,
    Level,
    Tools,
    Preview,
    Help,
}

impl Menu {
    /// Left to right.
    pub const ALL: [Self; 7] =
        [Self::File, Self::Edit, Self::View, Self::Level, Self::Tools, Self::Preview, Self::Help];

    /// Its title.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Level => "Level",
            Self::Tools => "Tools",
            Self::Preview => "Preview",
            Self::Help => "Help",
        }
    }
}

/// How a command looks.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    /// In menus and the palette; ends in `…` when more input follows.
    pub text: &'static str,
    /// One sentence.
    pub tip: &'static str,
    /// A picture.
    pub icon: &'static str,
    /// Keys, if any.
    pub keys: Option<KeyboardShortcut>,
    /// Its menu.
    pub menu: Menu,
    /// Whether a line stands above it in the menu.
    pub starts_group: bool,
}

const fn ctrl(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::COMMAND, key))
}
const fn ctrl_shift(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key))
}
const fn plain(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::NONE, key))
}
const fn shift(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::SHIFT, key))
}

/// How the window shows a command.
pub trait CommandLook {
    /// Words, keys and picture.
    #[must_use]
    fn spec(self) -> CommandSpec;

    /// Text with keys behind it, for tooltips.
    #[must_use]
    fn tooltip(self, ctx: &egui::Context) -> String;
}

impl CommandLook for Command {
    fn spec(self) -> CommandSpec {
        let (menu, text, tip, icon, keys) = match self {
            Self::NewProject => (
                Menu::File,
                "New project…",
                "Make a project in an empty folder",
                icons::ICON_CREATE_NEW_FOLDER.codepoint,
                ctrl(Key::N),
            ),
            Self::OpenProject => (
                Menu::File,
                "Open project…",
                "Open a project's folder",
                icons::ICON_FOLDER_OPEN.codepoint,
                ctrl(Key::O),
            ),
            Self::QuickOpen => (
                Menu::File,
                "Go to…",
                "Find a level, definition, machine or page by name",
                icons::ICON_SEARCH.codepoint,
                ctrl(Key::P),
            ),
            Self::Save => {
                (Menu::File, "Save", "Write the focused document to its file", icons::ICON_SAVE.codepoint, ctrl(Key::S))
            }
            Self::SaveAll => (
                Menu::File,
                "Save all",
                "Write every changed document",
                icons::ICON_SAVE_AS.codepoint,
                ctrl_shift(Key::S),
            ),
            Self::Revert => (
                Menu::File,
                "Revert to saved",
                "Discard every change to the focused document since it was saved; can be undone",
                icons::ICON_SETTINGS_BACKUP_RESTORE.codepoint,
                None,
            ),
            Self::Export => (
                Menu::File,
                "Export…",
                "Write what game builds read, with inheritance resolved",
                icons::ICON_OUTPUT.codepoint,
                ctrl(Key::E),
            ),
            Self::Quit => (Menu::File, "Quit", "Close the window", icons::ICON_CLOSE.codepoint, ctrl(Key::Q)),
            Self::Undo => (Menu::Edit, "Undo", "Undo the last step", icons::ICON_UNDO.codepoint, ctrl(Key::Z)),
            Self::Redo => (Menu::Edit, "Redo", "Redo the undone step", icons::ICON_REDO.codepoint, ctrl_shift(Key::Z)),
            Self::Cut => {
                (Menu::Edit, "Cut", "Copy the selection and delete it", icons::ICON_CONTENT_CUT.codepoint, ctrl(Key::X))
            }
            Self::Copy => (Menu::Edit, "Copy", "Copy the selection", icons::ICON_CONTENT_COPY.codepoint, ctrl(Key::C)),
            Self::Paste => {
                (Menu::Edit, "Paste", "Insert what was copied", icons::ICON_CONTENT_PASTE.codepoint, ctrl(Key::V))
            }
            Self::Duplicate => (
                Menu::Edit,
                "Duplicate",
                "Duplicate the selection",
                icons::ICON_CONTROL_POINT_DUPLICATE.codepoint,
                ctrl(Key::D),
            ),
            Self::Delete => {
                (Menu::Edit, "Delete", "Delete the selection", icons::ICON_DELETE.codepoint, plain(Key::Delete))
            }
            Self::SelectAll => (
                Menu::Edit,
                "Select all",
                "Select everything on the active layer",
                icons::ICON_SELECT_ALL.codepoint,
                ctrl(Key::A),
            ),
            Self::Deselect => {
                (Menu::Edit, "Deselect", "Select nothing", icons::ICON_DESELECT.codepoint, ctrl_shift(Key::A))
            }
            Self::InvertCells => (
                Menu::Edit,
                "Invert tile selection",
                "Select the cells that are not selected",
                icons::ICON_FLIP_TO_FRONT.codepoint,
                ctrl_shift(Key::I),
            ),
            Self::ToggleAllLayers => (
                Menu::Edit,
                "Tile selection on all layers",
                "Copy, move and erase selected tiles on all layers that are shown and unlocked",
                icons::ICON_LAYERS.codepoint,
                None,
            ),
            Self::FillCells => (
                Menu::Edit,
                "Fill selected tiles",
                "Fill the selected cells with the brush",
                icons::ICON_FORMAT_PAINT.codepoint,
                plain(Key::F),
            ),
            Self::FlipCellsH => (
                Menu::Edit,
                "Flip selected tiles left to right",
                "Mirror the selected tiles",
                icons::ICON_FLIP.codepoint,
                shift(Key::X),
            ),
            Self::FlipCellsV => (
                Menu::Edit,
                "Flip selected tiles top to bottom",
                "Mirror the selected tiles",
                icons::ICON_SWAP_VERT.codepoint,
                shift(Key::Y),
            ),
            Self::RotateCells => (
                Menu::Edit,
                "Rotate selected tiles",
                "Rotate the selected tiles clockwise",
                icons::ICON_ROTATE_90_DEGREES_CW.codepoint,
                shift(Key::Z),
            ),
            Self::Rename => (
                Menu::Edit,
                "Rename…",
                "Rename the selection, and every use of it",
                icons::ICON_EDIT.codepoint,
                plain(Key::F2),
            ),
            Self::RenameAny => (
                Menu::Edit,
                "Rename anything…",
                "Rename a tag, message, field, enum value or anything else with a name, and every use of it",
                icons::ICON_EDIT_NOTE.codepoint,
                shift(Key::F2),
            ),
            Self::FindEntities => (
                Menu::Edit,
                "Find entities",
                "Find placed entities by name, definition, tag or a field's value, in the level shown or in all levels",
                icons::ICON_SEARCH.codepoint,
                ctrl(Key::F),
            ),
            Self::ReplaceInLevels => (
                Menu::Edit,
                "Find and replace in levels…",
                "Replace a tile, a stamp, the entities of a definition or a field's value, in all levels or in the one shown",
                icons::ICON_FIND_REPLACE.codepoint,
                ctrl(Key::H),
            ),
            Self::ExtractParent => (
                Menu::Edit,
                "Extract common parent…",
                "Move what the selected definitions have in common into a new parent of all of them",
                icons::ICON_CALL_MERGE.codepoint,
                None,
            ),
            Self::InlineParent => (
                Menu::Edit,
                "Inline parent…",
                "Merge what a parent declares into those that inherit it",
                icons::ICON_CALL_SPLIT.codepoint,
                None,
            ),
            Self::NewTileset => (
                Menu::Edit,
                "New tileset…",
                "Make a tileset of a PNG picture; one that is dropped on the window does the same",
                icons::ICON_GRID_VIEW.codepoint,
                None,
            ),
            Self::AddTiles => (
                Menu::Edit,
                "Add missing tiles",
                "Make a tile of each part of the tileset's picture that shows something and has none",
                icons::ICON_LIBRARY_ADD.codepoint,
                None,
            ),
            Self::NewStampFromCells => (
                Menu::Edit,
                "New stamp from selection…",
                "Keep the selected tiles as a stamp in the project; of all layers where these are selected",
                icons::ICON_APPROVAL.codepoint,
                None,
            ),
            Self::NewStampFromBrush => (
                Menu::Edit,
                "New stamp from brush…",
                "Keep what the brush paints as a stamp in the project",
                icons::ICON_APPROVAL_DELEGATION.codepoint,
                None,
            ),
            Self::DeleteLevel => {
                (Menu::Level, "Delete level…", "Delete the level and its file", icons::ICON_DELETE.codepoint, None)
            }
            Self::ResizeLevel => (
                Menu::Level,
                "Resize level…",
                "Give the level another size, or none, and choose which part of it stays where it is",
                icons::ICON_ASPECT_RATIO.codepoint,
                None,
            ),
            Self::CropToCells => (
                Menu::Level,
                "Crop level to selected tiles",
                "Make the level as large as the rectangle around the selected cells",
                icons::ICON_CROP.codepoint,
                None,
            ),
            Self::CropLevel => (
                Menu::Level,
                "Crop level to content",
                "Make the level as large as its tiles, entities and waypoints need",
                icons::ICON_CROP.codepoint,
                None,
            ),
            Self::LayOutMachine => (
                Menu::Edit,
                "Lay out machine",
                "Place the states of the machine shown, or those inside the selected state, so that arrows can be followed",
                icons::ICON_GRAPH_2.codepoint,
                ctrl_shift(Key::L),
            ),
            Self::NewLevel => (
                Menu::Level,
                "New level…",
                "Make a level of a size, with layers to begin with",
                icons::ICON_ADD.codepoint,
                ctrl_shift(Key::N),
            ),
            Self::AddLayer => (
                Menu::Level,
                "Add layer…",
                "Add a layer of tiles, entities, waypoints or values, an image or a group, in front of the active one; into it, where that is a group",
                icons::ICON_ADD.codepoint,
                None,
            ),
            Self::DuplicateLayer => (
                Menu::Level,
                "Duplicate layer",
                "Copy the active layer with all that is on it",
                icons::ICON_CONTROL_POINT_DUPLICATE.codepoint,
                None,
            ),
            Self::MergeLayerDown => (
                Menu::Level,
                "Merge layer down",
                "Put the tiles of the active layer on the one behind it in its group, and delete it",
                icons::ICON_MERGE.codepoint,
                None,
            ),
            Self::LayerInFront => (
                Menu::Level,
                "Layer in front",
                "Work on the layer in front of the active one",
                icons::ICON_FLIP_TO_FRONT.codepoint,
                plain(Key::PageUp),
            ),
            Self::LayerBehind => (
                Menu::Level,
                "Layer behind",
                "Work on the layer behind the active one",
                icons::ICON_FLIP_TO_BACK.codepoint,
                plain(Key::PageDown),
            ),
            Self::RaiseLayer => (
                Menu::Level,
                "Bring layer forward",
                "Move the active layer before the one in front of it, into a group or out of it",
                icons::ICON_ARROW_UPWARD.codepoint,
                ctrl(Key::PageUp),
            ),
            Self::LowerLayer => (
                Menu::Level,
                "Send layer back",
                "Move the active layer behind the next one, into a group or out of it",
                icons::ICON_ARROW_DOWNWARD.codepoint,
                ctrl(Key::PageDown),
            ),
            Self::GroupLayers => (
                Menu::Level,
                "Group layer",
                "Put the active layer into a new group; drag other layers into it, or send them there by the arrows",
                icons::ICON_CREATE_NEW_FOLDER.codepoint,
                ctrl_shift(Key::G),
            ),
            Self::UngroupLayers => (
                Menu::Level,
                "Ungroup layers",
                "Take the active group apart; its layers get its opacity, tint, offset and parallax and look as they did",
                icons::ICON_FOLDER_OFF.codepoint,
                ctrl_shift(Key::U),
            ),
            Self::FoldGroup => (
                Menu::Level,
                "Fold group",
                "Whether the Layers pane hides what is in the active group",
                icons::ICON_UNFOLD_LESS.codepoint,
                None,
            ),
            Self::LockLayer => (
                Menu::Level,
                "Lock layer",
                "Whether what is on the active layer is protected from editing",
                icons::ICON_LOCK.codepoint,
                None,
            ),
            Self::LockOtherLayers => (
                Menu::Level,
                "Lock other layers",
                "Protect what is on the other layers from editing, or no longer where all of them are locked",
                icons::ICON_LOCK_PERSON.codepoint,
                None,
            ),
            Self::ShowLayerAlone => (
                Menu::Level,
                "Show only this layer",
                "Hide the other layers in this window, and then show again what was shown before; the game is not changed",
                icons::ICON_FILTER_1.codepoint,
                ctrl_shift(Key::H),
            ),
            Self::DeleteLayer => (
                Menu::Level,
                "Delete layer",
                "Delete the active layer and what is on it",
                icons::ICON_DELETE.codepoint,
                None,
            ),
            Self::LayerInGame => (
                Menu::Level,
                "Draw layer in the game",
                "Whether the game draws the active layer; its eye in the Layers pane hides it in this window alone",
                icons::ICON_VIDEOGAME_ASSET.codepoint,
                None,
            ),
            Self::SuggestWaypoints => (
                Menu::Level,
                "Suggest waypoints",
                "Add waypoints at the corners of the walls that have none",
                icons::ICON_ADD_LOCATION.codepoint,
                None,
            ),
            Self::Align(alignment) => {
                let (text, tip, icon) = alignment_look(alignment);
                (Menu::Level, text, tip, icon, None)
            }
            Self::NextProblem => {
                (Menu::Edit, "Next problem", "Go to the next problem", icons::ICON_ERROR.codepoint, plain(Key::F8))
            }
            Self::FixSafe => (
                Menu::Edit,
                "Apply safe fixes",
                "Apply every safe quick fix",
                icons::ICON_AUTO_FIX_HIGH.codepoint,
                None,
            ),
            Self::CommandPalette => (
                Menu::View,
                "Command palette…",
                "Find any command by name",
                icons::ICON_TERMINAL.codepoint,
                ctrl_shift(Key::P),
            ),
            Self::ZoomIn => {
                (Menu::View, "Zoom in", "To the next larger size", icons::ICON_ZOOM_IN.codepoint, ctrl(Key::Equals))
            }
            Self::ZoomOut => {
                (Menu::View, "Zoom out", "To the next smaller size", icons::ICON_ZOOM_OUT.codepoint, ctrl(Key::Minus))
            }
            Self::ZoomFit => (
                Menu::View,
                "Show whole level",
                "Fit the level into the view",
                icons::ICON_FIT_SCREEN.codepoint,
                plain(Key::Home),
            ),
            Self::ZoomReset => (
                Menu::View,
                "Actual size",
                "One pixel of the game per point",
                icons::ICON_CROP_FREE.codepoint,
                ctrl(Key::Num0),
            ),
            Self::ToggleGrid => (Menu::View, "Grid", "Show the tile grid", icons::ICON_GRID_ON.codepoint, ctrl(Key::G)),
            Self::ToggleSnap => (
                Menu::View,
                "Snap to grid",
                "Things placed and moved keep to the grid; not while Alt is held",
                icons::ICON_GRID_GOLDENRATIO.codepoint,
                None,
            ),
            Self::ToggleSnapPixels => (
                Menu::View,
                "Snap to pixels",
                "Things placed and moved keep to whole pixels where they do not keep to the grid; not while Alt is held",
                icons::ICON_GRID_4X4.codepoint,
                None,
            ),
            Self::ToggleGuides => (
                Menu::View,
                "Snap to entities",
                "Things placed and moved line up with the edges and centers of others in sight; not while Alt is held",
                icons::ICON_ALIGN_JUSTIFY_CENTER.codepoint,
                None,
            ),
            Self::ToggleHighlight => (
                Menu::View,
                "Highlight active layer",
                "Show the other layers pale while the level is edited",
                icons::ICON_STACK_STAR.codepoint,
                shift(Key::H),
            ),
            Self::ToggleLinks => (
                Menu::View,
                "Waypoint links",
                "Show the links that waypoints make by themselves",
                icons::ICON_POLYLINE.codepoint,
                plain(Key::F6),
            ),
            Self::ToggleReferences => (
                Menu::View,
                "Entity references",
                "Show with arrows which entities the fields of all entities refer to; those of what is selected always show",
                icons::ICON_ARROW_RIGHT_ALT.codepoint,
                None,
            ),
            Self::ToggleFields => (
                Menu::View,
                "Areas, paths and texts",
                "Show the areas, paths and texts of all entities; those of what is selected always show",
                icons::ICON_SHAPE_LINE.codepoint,
                None,
            ),
            Self::ToggleColliders => {
                (Menu::View, "Colliders", "Show colliders", icons::ICON_DEPLOYED_CODE.codepoint, plain(Key::F7))
            }
            Self::TogglePaths => {
                (Menu::View, "Paths", "Show the paths that agents follow", icons::ICON_ROUTE.codepoint, plain(Key::F9))
            }
            Self::ToggleStateLabels => (
                Menu::View,
                "State labels",
                "Show the states of every entity while it plays; those of what is selected or under the pointer always show",
                icons::ICON_LABEL.codepoint,
                plain(Key::F4),
            ),
            Self::ToggleTileShapes => (
                Menu::View,
                "Tile shapes",
                "Show what is solid of each tile, on the picture in the Tileset pane",
                icons::ICON_SHAPES.codepoint,
                None,
            ),
            Self::NextDocument => (
                Menu::View,
                "Next open level",
                "Show the next of the open levels",
                icons::ICON_TAB.codepoint,
                ctrl(Key::Tab),
            ),
            Self::PointByKeys => (
                Menu::View,
                "Point by keys",
                "Give the keyboard to the level: arrows move the pointer, by a pixel with Alt, far with Ctrl; Space or Enter is the button",
                icons::ICON_KEYBOARD_ALT.codepoint,
                ctrl(Key::K),
            ),
            Self::NextPane => (
                Menu::View,
                "Next pane",
                "Give the keyboard to the next pane; Tab goes on from there",
                icons::ICON_KEYBOARD_TAB.codepoint,
                ctrl(Key::F6),
            ),
            Self::PreviousPane => (
                Menu::View,
                "Previous pane",
                "Give the keyboard to the pane before",
                icons::ICON_KEYBOARD_TAB_RTL.codepoint,
                ctrl_shift(Key::F6),
            ),
            Self::Show(pane) => (Menu::View, pane.title(), pane.tip(), pane_icon(pane), None),
            Self::ResetLayout => (
                Menu::View,
                "Reset layout",
                "Put every pane back where it was at first",
                icons::ICON_DASHBOARD.codepoint,
                None,
            ),
            Self::ToggleTheme => (
                Menu::View,
                "Switch theme",
                "Change between the themes, dark and light",
                icons::ICON_CONTRAST.codepoint,
                None,
            ),
            Self::Tool(tool) => {
                let ToolSpec { name, key, tip, .. } = tool.spec();
                let key = Key::from_name(key.encode_utf8(&mut [0; 4]));
                (Menu::Tools, name, tip, tool_icon(tool), key.and_then(plain))
            }
            Self::SmallerBrush => (
                Menu::Tools,
                "Smaller brush",
                "The pencil, the eraser and the terrain tool cover fewer cells",
                icons::ICON_REMOVE.codepoint,
                plain(Key::OpenBracket),
            ),
            Self::LargerBrush => (
                Menu::Tools,
                "Larger brush",
                "The pencil, the eraser and the terrain tool cover more cells",
                icons::ICON_ADD.codepoint,
                plain(Key::CloseBracket),
            ),
            Self::ToggleRoundBrush => (
                Menu::Tools,
                "Round brush",
                "The pencil, the eraser and the terrain tool cover a disk of cells instead of a square",
                icons::ICON_RADIO_BUTTON_UNCHECKED.codepoint,
                None,
            ),
            Self::ToggleOutlines => (
                Menu::Tools,
                "Outlines only",
                "Rectangles and ellipses are outlines instead of filled; Ctrl does the opposite",
                icons::ICON_BORDER_OUTER.codepoint,
                None,
            ),
            Self::ToggleByTerrain => (
                Menu::Tools,
                "Fill by terrain",
                "The bucket and Replace tile take all tiles of a terrain for the same",
                icons::ICON_TERRAIN.codepoint,
                None,
            ),
            Self::FlipStampH => (
                Menu::Tools,
                "Flip brush left to right",
                "Mirror what the brush paints",
                icons::ICON_FLIP.codepoint,
                plain(Key::X),
            ),
            Self::FlipStampV => (
                Menu::Tools,
                "Flip brush top to bottom",
                "Mirror what the brush paints",
                icons::ICON_SWAP_VERT.codepoint,
                plain(Key::Y),
            ),
            Self::RotateStamp => (
                Menu::Tools,
                "Rotate brush",
                "Rotate what the brush paints clockwise",
                icons::ICON_ROTATE_90_DEGREES_CW.codepoint,
                plain(Key::Z),
            ),
            Self::ToggleRandomBrush => (
                Menu::Tools,
                "Random brush",
                "Paint one of the brush's tiles at random on each cell, by their weights",
                icons::ICON_CASINO.codepoint,
                plain(Key::Q),
            ),
            Self::PlayPause => {
                (Menu::Preview, "Play or pause", "Play the level", icons::ICON_PLAY_ARROW.codepoint, plain(Key::F5))
            }
            Self::Stop => (
                Menu::Preview,
                "Stop",
                "End the preview and show the level as it is edited",
                icons::ICON_STOP.codepoint,
                shift(Key::F5),
            ),
            Self::StepTick => (Menu::Preview, "Step", "Run one tick", icons::ICON_SKIP_NEXT.codepoint, plain(Key::F10)),
            Self::Slower => (
                Menu::Preview,
                "Slower",
                "Half the speed",
                icons::ICON_KEYBOARD_DOUBLE_ARROW_LEFT.codepoint,
                ctrl(Key::OpenBracket),
            ),
            Self::Faster => (
                Menu::Preview,
                "Faster",
                "Twice the speed",
                icons::ICON_KEYBOARD_DOUBLE_ARROW_RIGHT.codepoint,
                ctrl(Key::CloseBracket),
            ),
            Self::SwitchValues => (
                Menu::Preview,
                "Switch between A and B",
                "Play with the other set of tuned values, at once",
                icons::ICON_COMPARE_ARROWS.codepoint,
                plain(Key::Backtick),
            ),
            Self::KeepValues => (
                Menu::Preview,
                "Keep changed values",
                "Write the values being tried out into the tuning files, as one step",
                icons::ICON_DONE_ALL.codepoint,
                None,
            ),
            Self::DropValues => (
                Menu::Preview,
                "Drop changed values",
                "Go back to the values in the tuning files",
                icons::ICON_REMOVE_DONE.codepoint,
                None,
            ),
            Self::Shortcuts => {
                (Menu::Help, "Keyboard shortcuts", "Every key", icons::ICON_KEYBOARD.codepoint, plain(Key::F1))
            }
            Self::About => (Menu::Help, "About Levelwright", "Version and license", icons::ICON_INFO.codepoint, None),
        };
        let starts_group = matches!(
            self,
            Self::Save
                | Self::Export
                | Self::Quit
                | Self::Cut
                | Self::SelectAll
                | Self::InvertCells
                | Self::Rename
                | Self::NewTileset
                | Self::LayOutMachine
                | Self::AddLayer
                | Self::LayerInFront
                | Self::SuggestWaypoints
                | Self::Align(Alignment::Left | Alignment::DistributeHorizontally)
                | Self::NextProblem
                | Self::ZoomIn
                | Self::ToggleGrid
                | Self::NextDocument
                | Self::PointByKeys
                | Self::ResetLayout
                | Self::Tool(ToolKind::Entity)
                | Self::SmallerBrush
                | Self::FlipStampH
                | Self::Slower
                | Self::SwitchValues
                | Self::About
        );
        CommandSpec { text, tip, icon, keys, menu, starts_group }
    }

    fn tooltip(self, ctx: &egui::Context) -> String {
        let spec = self.spec();
        match spec.keys {
            Some(keys) => format!("{} ({})", spec.tip, ctx.format_shortcut(&keys)),
            None => spec.tip.to_owned(),
        }
    }
}

/// Words, a sentence and a picture.
fn alignment_look(alignment: Alignment) -> (&'static str, &'static str, &'static str) {
    let (text, tip, icon) = match alignment {
        Alignment::Left => (
            "Align left edges",
            "Move the selected entities and waypoints to the left edge of the leftmost",
            icons::ICON_ALIGN_HORIZONTAL_LEFT,
        ),
        Alignment::Right => (
            "Align right edges",
            "Move the selected entities and waypoints to the right edge of the rightmost",
            icons::ICON_ALIGN_HORIZONTAL_RIGHT,
        ),
        Alignment::Top => (
            "Align top edges",
            "Move the selected entities and waypoints to the top edge of the topmost",
            icons::ICON_ALIGN_VERTICAL_TOP,
        ),
        Alignment::Bottom => (
            "Align bottom edges",
            "Move the selected entities and waypoints to the bottom edge of the bottommost",
            icons::ICON_ALIGN_VERTICAL_BOTTOM,
        ),
        Alignment::CentersHorizontally => (
            "Align centers horizontally",
            "Move the selected entities and waypoints left or right until their centers are one above the other",
            icons::ICON_ALIGN_HORIZONTAL_CENTER,
        ),
        Alignment::CentersVertically => (
            "Align centers vertically",
            "Move the selected entities and waypoints up or down until their centers are beside each other",
            icons::ICON_ALIGN_VERTICAL_CENTER,
        ),
        Alignment::DistributeHorizontally => (
            "Distribute horizontally",
            "Make the gaps between the selected entities and waypoints equal, from left to right",
            icons::ICON_HORIZONTAL_DISTRIBUTE,
        ),
        Alignment::DistributeVertically => (
            "Distribute vertically",
            "Make the gaps between the selected entities and waypoints equal, from top to bottom",
            icons::ICON_VERTICAL_DISTRIBUTE,
        ),
    };
    (text, tip, icon.codepoint)
}

fn tool_icon(tool: ToolKind) -> &'static str {
    match tool {
        ToolKind::Select => icons::ICON_ARROW_SELECTOR_TOOL,
        ToolKind::SelectCells => icons::ICON_SELECT,
        ToolKind::Lasso => icons::ICON_LASSO_SELECT,
        ToolKind::Wand => icons::ICON_WAND_STARS,
        ToolKind::SelectSame => icons::ICON_SELECT_CHECK_BOX,
        ToolKind::Pencil => icons::ICON_EDIT,
        ToolKind::Line => icons::ICON_DIAGONAL_LINE,
        ToolKind::Rectangle => icons::ICON_RECTANGLE,
        ToolKind::Ellipse => icons::ICON_CIRCLE,
        ToolKind::Bucket => icons::ICON_FORMAT_COLOR_FILL,
        ToolKind::SameTile => icons::ICON_FIND_REPLACE,
        ToolKind::Terrain => icons::ICON_LANDSCAPE,
        ToolKind::Stamp => icons::ICON_APPROVAL,
        ToolKind::Eraser => icons::ICON_INK_ERASER,
        ToolKind::Eyedropper => icons::ICON_COLORIZE,
        ToolKind::Entity => icons::ICON_SMART_TOY,
        ToolKind::Repeat => icons::ICON_LINEAR_SCALE,
        ToolKind::Waypoint => icons::ICON_CONVERSION_PATH,
        ToolKind::Link => icons::ICON_ADD_LINK,
    }
    .codepoint
}

fn pane_icon(pane: Pane) -> &'static str {
    match pane {
        Pane::Project => icons::ICON_LIST_ALT,
        Pane::Level => icons::ICON_MAP,
        Pane::Palette => icons::ICON_PALETTE,
        Pane::Stamps => icons::ICON_APPROVAL,
        Pane::Layers => icons::ICON_LAYERS,
        Pane::Inheritance => icons::ICON_FAMILY_HISTORY,
        Pane::Inspector => icons::ICON_SEARCH,
        Pane::Machine => icons::ICON_ACCOUNT_TREE,
        Pane::Tileset => icons::ICON_GRID_VIEW,
        Pane::Tuning => icons::ICON_TUNE,
        Pane::Preview => icons::ICON_VIDEOGAME_ASSET,
        Pane::Messages => icons::ICON_FORUM,
        Pane::Problems => icons::ICON_WARNING,
        Pane::Definitions => icons::ICON_TABLE_CHART,
        Pane::History => icons::ICON_HISTORY,
    }
    .codepoint
}
