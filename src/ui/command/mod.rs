//! How the window shows each command: its menu, its words, its keys and its picture.
//!
//! When a command makes sense is `sense`'s; what it does is `app::act`'s. What tools are called and their keys are in
//! [`ToolKind::spec`].

mod keys;
mod pictures;
mod words;

use egui::{Context, Key, KeyboardShortcut, Modifiers};

use super::Cx;
use crate::{
    editor::{Command, Controls},
    tools::{Alignment, ToolKind},
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
    /// Other words that it is looked for by, one phrase after another with commas between.
    pub also: &'static str,
    /// Its menu.
    pub menu: Menu,
    /// Whether a line stands above it in the menu.
    pub starts_group: bool,
}

/// Keys as people know them: `Ctrl+[` and not `Ctrl+OpenBracket`.
#[must_use]
pub fn keys_text(ctx: &Context, keys: &KeyboardShortcut) -> String {
    let text = ctx.format_shortcut(keys);
    let (key, shown) = (keys.logical_key.name(), known_as(keys.logical_key));
    text.strip_suffix(key).map_or_else(|| text.clone(), |before| format!("{before}{shown}"))
}

/// What is printed on a key.
fn known_as(key: Key) -> &'static str {
    match key {
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Equals => "=",
        Key::Minus => "-",
        Key::Backtick => "`",
        Key::PageUp => "Page Up",
        Key::PageDown => "Page Down",
        key => key.name(),
    }
}

/// How the window shows a command.
pub trait CommandLook {
    /// Words, keys and picture.
    #[must_use]
    fn spec(self) -> CommandSpec;

    /// Its keys, for menus: none while they drive the player.
    #[must_use]
    fn keys_text(self, cx: &Cx<'_>, ctx: &Context) -> Option<String>;

    /// Text with keys behind it, for tooltips.
    #[must_use]
    fn tooltip(self, cx: &Cx<'_>, ctx: &Context) -> String;
}

/// Whether keys of a command drive the player instead while a level is previewed: letters and the like that are bound
/// to an action.
#[must_use]
pub fn drives_player(controls: &Controls, keys: &KeyboardShortcut) -> bool {
    is_letter(keys) && controls.has_key(|name| Key::from_name(name) == Some(keys.logical_key))
}

/// Whether keys are pressed in typing too: capital letters are letters, function keys are none.
#[must_use]
pub fn is_letter(keys: &KeyboardShortcut) -> bool {
    let name = keys.logical_key.name();
    let is_function = name.len() > 1 && name.starts_with('F') && name[1..].parse::<u8>().is_ok();
    matches!(keys.modifiers, Modifiers::NONE | Modifiers::SHIFT) && !is_function
}

/// Whether these keys drive the player now.
fn is_players(cx: &Cx<'_>, keys: &KeyboardShortcut) -> bool {
    // Most keys need no look at what is bound.
    let preview = cx.preview.filter(|preview| is_letter(keys) && preview.has_player());
    preview.is_some_and(|_| drives_player(&Controls::of(cx.resolution, cx.tried_values()), keys))
}

impl CommandLook for Command {
    fn spec(self) -> CommandSpec {
        let (menu, text, tip) = words::of(self);
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
                | Self::CameraHome
                | Self::ToggleGrid
                | Self::NextDocument
                | Self::PointByKeys
                | Self::Tool(ToolKind::Entity)
                | Self::SmallerBrush
                | Self::FlipStampH
                | Self::Slower
                | Self::WhyStill
                | Self::SwitchValues
                | Self::ToggleLive
                | Self::About
        );
        CommandSpec {
            text,
            tip,
            icon: pictures::of(self),
            keys: keys::of(self),
            also: words::also(self),
            menu,
            starts_group,
        }
    }

    fn keys_text(self, cx: &Cx<'_>, ctx: &Context) -> Option<String> {
        self.spec().keys.filter(|keys| !is_players(cx, keys)).map(|keys| keys_text(ctx, &keys))
    }

    fn tooltip(self, cx: &Cx<'_>, ctx: &Context) -> String {
        let spec = self.spec();
        match spec.keys {
            Some(keys) if is_players(cx, &keys) => {
                format!("{} ({} drives the player until the preview is stopped)", spec.tip, keys_text(ctx, &keys))
            }
            Some(keys) => format!("{} ({})", spec.tip, keys_text(ctx, &keys)),
            None => spec.tip.to_owned(),
        }
    }
}
