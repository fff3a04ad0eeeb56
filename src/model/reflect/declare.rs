//! Declaring a type together with its description.

/// Declare a record, an enum of words or a choice of contents, and describe it.
///
/// ```text
/// describe! {
///     /// A link.
///     #[derive(Clone, Debug)]
///     pub struct Link: "a link" => own_line() {      // then what holds for the record: functions of `Record`
///         /// Node id.
///         pub from: Name => id(),                    // no default: required; functions of `Field`
///         /// In pixels.
///         pub cost: Option<f64> = None => at_least(0.0) unit("px"),
///     }
/// }
/// describe! { pub enum LinkBy: words "maker of links" { Hand, Auto } }
/// describe! {
///     pub enum Content: choice "kind of layer" {
///         Tiles(TileLayer): "a tile layer",          // `Tiles(name: …, tileset: …)`: the fields of a record after a tag
///         Entities(Things): "an entity layer" in "entities",     // all of it is one field
///     }
/// }
/// describe! { pub enum What: choice "cue" => by_key() { Send(Message): "a cue" by "send" } }   // no tag: `send` is there
/// ```
#[macro_export]
macro_rules! describe {
    (
        $(#[$meta:meta])*
        $vis:vis struct $type:ident: $what:literal $(=> $($flag:ident($($arg:expr),*))*)? {
            $(
                $(#[doc = $doc:literal])+
                $(#[serde($($serde:tt)*)])?
                $field_vis:vis $field:ident: $ty:ty $(= $default:expr)? $(=> $($at:ident($($of:expr),*))*)?
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        $vis struct $type {
            $($(#[doc = $doc])+ $(#[serde($($serde)*)])? $field_vis $field: $ty,)*
        }

        impl $type {
            fn record_type() -> &'static $crate::model::reflect::Record {
                use $crate::model::reflect::{Field, Record, Reflect};
                static FIELDS: &[Field] = &[$(
                    Field::new(
                        stringify!($field),
                        &[$($doc),+],
                        <$ty as Reflect>::type_of,
                        $crate::model::reflect::describe!(@is_required $($default)?),
                    )$($(.$at($($of),*))*)?
                ),*];
                static RECORD: Record = Record::new($what, FIELDS)$($(.$flag($($arg),*))*)?;
                &RECORD
            }
        }

        impl $crate::model::reflect::RecordView for $type {
            fn record(&self) -> &'static $crate::model::reflect::Record {
                Self::record_type()
            }

            #[allow(unused_assignments)] // the count after the last field
            fn get(&self, at: usize) -> Option<&dyn $crate::model::reflect::Reflect> {
                let mut i = 0;
                $(
                    if at == i {
                        return Some(&self.$field);
                    }
                    i += 1;
                )*
                None
            }

            #[allow(unused_assignments)] // the count after the last field
            fn is_default(&self, at: usize) -> bool {
                let mut i = 0;
                $(
                    if at == i {
                        return $crate::model::reflect::describe!(@is_default self.$field, $ty, $($default)?);
                    }
                    i += 1;
                )*
                false
            }
        }

        impl $crate::model::reflect::RecordViewMut for $type {
            #[allow(unused_assignments)] // the count after the last field
            fn reset(&mut self, at: usize) {
                let mut i = 0;
                $(
                    if at == i {
                        self.$field = $crate::model::reflect::describe!(@blank $ty, $($default)?);
                    }
                    i += 1;
                )*
            }

            #[allow(unused_assignments)] // the count after the last field
            fn get_mut(&mut self, at: usize) -> Option<&mut dyn $crate::model::reflect::Reflect> {
                let mut i = 0;
                $(
                    if at == i {
                        return Some(&mut self.$field);
                    }
                    i += 1;
                )*
                None
            }
        }

        impl $crate::model::reflect::Reflect for $type {
            fn type_of() -> $crate::model::reflect::Type {
                $crate::model::reflect::Type::Record(Self::record_type())
            }

            fn blank() -> Self {
                Self { $($field: $crate::model::reflect::describe!(@blank $ty, $($default)?)),* }
            }

            fn view(&self) -> $crate::model::reflect::View<'_> {
                $crate::model::reflect::View::Record(self)
            }

            fn view_mut(&mut self) -> $crate::model::reflect::ViewMut<'_> {
                $crate::model::reflect::ViewMut::Record(self)
            }

            $crate::model::reflect::describe!(@copy);
        }
    };

    (
        $(#[$meta:meta])*
        pub enum $type:ident: words $what:literal {
            $($(#[$word_meta:meta])* $word:ident),* $(,)?
        }
    ) => {
        $(#[$meta])*
        pub enum $type {
            $($(#[$word_meta])* $word,)*
        }

        impl $type {
            const WORDS: &'static $crate::model::reflect::Word =
                &$crate::model::reflect::Word { what: $what, words: &[$(stringify!($word)),*] };
        }

        impl $crate::model::reflect::WordViewMut for $type {
            fn word_type(&self) -> &'static $crate::model::reflect::Word {
                Self::WORDS
            }

            fn set(&mut self, word: &str) -> bool {
                *self = match word {
                    $(stringify!($word) => Self::$word,)*
                    _ => return false,
                };
                true
            }
        }

        impl $crate::model::reflect::Reflect for $type {
            fn type_of() -> $crate::model::reflect::Type {
                $crate::model::reflect::Type::Word(Self::WORDS)
            }

            fn blank() -> Self {
                Self::default()
            }

            fn view(&self) -> $crate::model::reflect::View<'_> {
                $crate::model::reflect::View::Word(match self {
                    $(Self::$word => stringify!($word)),*
                })
            }

            fn view_mut(&mut self) -> $crate::model::reflect::ViewMut<'_> {
                $crate::model::reflect::ViewMut::Word(self)
            }

            $crate::model::reflect::describe!(@copy);
        }
    };

    (
        $(#[$meta:meta])*
        pub enum $type:ident: choice $what:literal $(=> $($flag:ident($($arg:expr),*))*)? {
            $($(#[doc = $doc:literal])+ $tag:ident($content:ty): $tag_what:literal $(in $key:literal)? $(by $telling:literal)? $(=> $($at:ident($($of:expr),*))*)?),* $(,)?
        }
    ) => {
        $(#[$meta])*
        pub enum $type {
            $($(#[doc = $doc])+ $tag($content),)*
        }

        impl $type {
            fn choice_type() -> &'static $crate::model::reflect::Choice {
                use $crate::model::reflect::{Choice, Reflect, Variant};
                static VARIANTS: &[Variant] = &[$(
                    Variant {
                        tag: stringify!($tag),
                        what: $tag_what,
                        content: <$content as Reflect>::type_of,
                        field: $crate::model::reflect::describe!(@field $content, [$($doc),+] [$($($at($($of),*))*)?] $($key)?),
                        key: concat!($($key)? $($telling)?),
                    }
                ),*];
                static CHOICE: Choice = Choice::new($what, VARIANTS)$($(.$flag($($arg),*))*)?;
                &CHOICE
            }
        }

        impl $crate::model::reflect::ChoiceView for $type {
            fn choice(&self) -> &'static $crate::model::reflect::Choice {
                Self::choice_type()
            }

            fn which(&self) -> usize {
                let tag = match self {
                    $(Self::$tag(_) => stringify!($tag)),*
                };
                let tags = [$(stringify!($tag)),*];
                tags.iter().position(|it| *it == tag).unwrap_or_default()
            }

            fn content(&self) -> &dyn $crate::model::reflect::Reflect {
                match self {
                    $(Self::$tag(content) => content),*
                }
            }
        }

        impl $crate::model::reflect::ChoiceViewMut for $type {
            #[allow(unused_assignments)] // the count after the last variant
            fn become_variant(&mut self, which: usize) {
                if which == $crate::model::reflect::ChoiceView::which(self) {
                    return;
                }
                let mut i = 0;
                $(
                    if which == i {
                        *self = Self::$tag($crate::model::reflect::Reflect::blank());
                        return;
                    }
                    i += 1;
                )*
            }

            fn content_mut(&mut self) -> &mut dyn $crate::model::reflect::Reflect {
                match self {
                    $(Self::$tag(content) => content),*
                }
            }
        }

        impl $crate::model::reflect::Reflect for $type {
            fn type_of() -> $crate::model::reflect::Type {
                $crate::model::reflect::Type::Choice(Self::choice_type())
            }

            fn blank() -> Self {
                let blanks = [$(|| Self::$tag($crate::model::reflect::Reflect::blank())),*];
                blanks[0]()
            }

            fn view(&self) -> $crate::model::reflect::View<'_> {
                $crate::model::reflect::View::Choice(self)
            }

            fn view_mut(&mut self) -> $crate::model::reflect::ViewMut<'_> {
                $crate::model::reflect::ViewMut::Choice(self)
            }

            $crate::model::reflect::describe!(@copy);
        }
    };

    (@copy) => {
        fn ty(&self) -> $crate::model::reflect::Type {
            <Self as $crate::model::reflect::Reflect>::type_of()
        }

        fn boxed(&self) -> Box<dyn $crate::model::reflect::Reflect> {
            Box::new(self.clone())
        }

        fn assign(&mut self, from: &dyn $crate::model::reflect::Reflect) -> bool {
            let from: &dyn std::any::Any = from;
            from.downcast_ref::<Self>().map(|from| self.clone_from(from)).is_some()
        }

        fn clear(&mut self) {
            *self = <Self as $crate::model::reflect::Reflect>::blank();
        }

        fn equals(&self, other: &dyn $crate::model::reflect::Reflect) -> bool {
            let other: &dyn std::any::Any = other;
            other.downcast_ref::<Self>() == Some(self)
        }
    };
    (@is_required) => { true };
    (@is_required $default:expr) => { false };
    (@is_default $value:expr, $ty:ty,) => { false };
    (@is_default $value:expr, $ty:ty, $default:expr) => {{
        let default: $ty = $default;
        $value == default
    }};
    (@blank $ty:ty,) => { <$ty as $crate::model::reflect::Reflect>::blank() };
    (@blank $ty:ty, $default:expr) => { $default };
    (@field $content:ty, [$($doc:literal),+] []) => { None };
    (@field $content:ty, [$($doc:literal),+] [$($at:ident($($of:expr),*))*] $key:literal) => {
        Some(const {
            &$crate::model::reflect::Field::new(
                $key, &[$($doc),+], <$content as $crate::model::reflect::Reflect>::type_of, false,
            )$(.$at($($of),*))*
        })
    };
}

pub use describe;
