//! The keys of each command. One that is not listed has none.

use egui::{Key, KeyboardShortcut, Modifiers};

use crate::editor::{Command, Overlay, Pane};

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

const fn alt(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::ALT, key))
}

/// Those of an overlay: held with Alt, so that they drive no player.
fn of_overlay(overlay: Overlay) -> Option<KeyboardShortcut> {
    alt(match overlay {
        Overlay::Contacts => Key::Num1,
        Overlay::Velocities => Key::Num2,
        Overlay::Forces => Key::Num3,
        Overlay::Sleeping => Key::Num4,
        Overlay::BroadPhase => Key::Num5,
        Overlay::Axes => Key::Num6,
        Overlay::Sight => Key::Num7,
        Overlay::Messages => Key::Num8,
        Overlay::Searches => Key::Num9,
        Overlay::Clearance => Key::Num0,
        Overlay::Jumps => Key::J,
        Overlay::Traffic => Key::H,
        Overlay::Trails => Key::T,
        Overlay::TickTime => Key::M,
        Overlay::Energy => Key::E,
        Overlay::Cameras => Key::C,
    })
}

/// The keys that stand for `command`, if any.
pub(super) fn of(command: Command) -> Option<KeyboardShortcut> {
    use Command as C;
    match command {
        C::Tool(tool) => Key::from_name(tool.spec().key.encode_utf8(&mut [0; 4])).and_then(plain),
        C::Overlay(overlay) => of_overlay(overlay),
        C::HideOverlays => alt(Key::N),
        C::WhyStill => alt(Key::W),
        C::FreezeOnContact => alt(Key::F),
        C::Show(Pane::Profiler) => alt(Key::P),
        C::NewProject => ctrl(Key::N),
        C::OpenProject => ctrl(Key::O),
        C::QuickOpen => ctrl(Key::P),
        C::Save => ctrl(Key::S),
        C::SaveAll => ctrl_shift(Key::S),
        C::Export => ctrl(Key::E),
        C::Quit => ctrl(Key::Q),
        C::Undo => ctrl(Key::Z),
        C::Redo => ctrl_shift(Key::Z),
        C::Cut => ctrl(Key::X),
        C::Copy => ctrl(Key::C),
        C::Paste => ctrl(Key::V),
        C::Duplicate => ctrl(Key::D),
        C::Delete => plain(Key::Delete),
        C::SelectAll => ctrl(Key::A),
        C::Deselect => ctrl_shift(Key::A),
        C::InvertCells => ctrl_shift(Key::I),
        C::FillCells => plain(Key::F),
        C::FlipCellsH => shift(Key::X),
        C::FlipCellsV => shift(Key::Y),
        C::RotateCells => shift(Key::Z),
        C::Rename => plain(Key::F2),
        C::RenameAny => shift(Key::F2),
        C::FindEntities => ctrl(Key::F),
        C::ReplaceInLevels => ctrl(Key::H),
        C::LayOutMachine => ctrl_shift(Key::L),
        C::NewLevel => ctrl_shift(Key::N),
        C::LayerInFront => plain(Key::PageUp),
        C::LayerBehind => plain(Key::PageDown),
        C::RaiseLayer => ctrl(Key::PageUp),
        C::LowerLayer => ctrl(Key::PageDown),
        C::GroupLayers => ctrl_shift(Key::G),
        C::UngroupLayers => ctrl_shift(Key::U),
        C::ShowLayerAlone => ctrl_shift(Key::H),
        C::NextProblem => plain(Key::F8),
        C::PreviousProblem => shift(Key::F8),
        C::CommandPalette => ctrl_shift(Key::P),
        C::ZoomIn => ctrl(Key::Equals),
        C::ZoomOut => ctrl(Key::Minus),
        C::ZoomFit => plain(Key::Home),
        C::ZoomReset => ctrl(Key::Num0),
        C::CameraHome => alt(Key::Home),
        C::CameraFollow => alt(Key::S),
        C::CameraFree => alt(Key::R),
        C::ToggleGrid => ctrl(Key::G),
        C::ToggleHighlight => shift(Key::H),
        C::ToggleLinks => plain(Key::F6),
        C::ToggleColliders => plain(Key::F7),
        C::TogglePaths => plain(Key::F9),
        C::ToggleStateLabels => plain(Key::F4),
        C::NextDocument => ctrl(Key::Tab),
        C::PointByKeys => ctrl(Key::K),
        C::NextPane => ctrl(Key::F6),
        C::PreviousPane => ctrl_shift(Key::F6),
        C::SmallerBrush => plain(Key::OpenBracket),
        C::LargerBrush => plain(Key::CloseBracket),
        C::FlipStampH => plain(Key::X),
        C::FlipStampV => plain(Key::Y),
        C::RotateStamp => plain(Key::Z),
        C::ToggleRandomBrush => plain(Key::Q),
        C::PlayPause => plain(Key::F5),
        C::Stop => shift(Key::F5),
        C::StepTick => plain(Key::F10),
        C::StepBack => shift(Key::F10),
        C::PlayFromStart => ctrl(Key::F5),
        C::PlayFromHere => alt(Key::F5),
        C::Branch => ctrl(Key::B),
        C::RepeatFrom => shift(Key::I),
        C::RepeatTo => shift(Key::O),
        C::RepeatAll => shift(Key::L),
        C::SaveScenario => ctrl_shift(Key::E),
        C::Mute => shift(Key::M),
        C::Slower => ctrl(Key::OpenBracket),
        C::Faster => ctrl(Key::CloseBracket),
        C::SwitchValues => plain(Key::Backtick),
        C::Shortcuts => plain(Key::F1),
        _ => None,
    }
}
