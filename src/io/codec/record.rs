//! One declaration per record: its fields in canonical order, by the names files use, each required or with a default.
//! Reading, writing and merging all come from it, so none can forget a field.

/// Declare how a record of the model is written.
///
/// ```text
/// record! {
///     "a tile" TileDef per line {             // written anew, each of several has a line of its own
///         "at" at,                            // required
///         "name" name = String::new(),        // left out when it has this value
///         .. ops: Ops,                        // the fields of another record, at the same level
///     }
/// }
/// ```
macro_rules! record {
    ($what:literal $type:ident { $($fields:tt)* }) => {
        $crate::io::codec::record::record!($what $type, false, { $($fields)* });
    };
    // Each of several has a line of its own.
    ($what:literal $type:ident per line { $($fields:tt)* }) => {
        $crate::io::codec::record::record!($what $type, true, { $($fields)* });
    };
    // As above, and told apart in a list by this.
    ($what:literal $type:ident per line key |$me:ident| ($key:expr) { $($fields:tt)* }) => {
        $crate::io::codec::record::record!($what $type, true, { $($fields)* } |$me| $key);
    };
    ($what:literal $type:ident, $own_line:literal, { $($fields:tt)* } $(|$me:ident| $key:expr)?) => {
        $crate::io::codec::record::record!(@read_write $what $type, $own_line, { $($fields)* });

        impl $crate::io::codec::Merge for $type {
            fn same(&self, other: &Self) -> bool {
                $crate::io::codec::record::record!(@same self, other; $($fields)*)
            }

            fn merge(
                base: Option<&Self>,
                mine: &Self,
                theirs: &Self,
                cx: &mut $crate::io::codec::merge::Merging<'_>,
            ) -> Self {
                $crate::io::codec::record::record!(@merge $type, base, mine, theirs, cx, []; $($fields)*)
            }

            $(fn key(&self) -> Option<$crate::model::Name> {
                let $me = self;
                Some($key)
            })?
        }
    };
    (@read_write $what:literal $type:ident, $own_line:literal, { $($fields:tt)* }) => {
        impl $crate::io::codec::record::Fields for $type {
            const WHAT: &'static str = $what;

            fn keys(out: &mut Vec<&'static str>) {
                $crate::io::codec::record::record!(@keys out; $($fields)*);
            }

            fn take<'t>(
                record: &mut $crate::io::codec::cx::Record<'_, 't>,
                cx: &mut $crate::io::codec::Cx<'t>,
            ) -> Option<Self> {
                $crate::io::codec::record::record!(@take $type, record, cx, []; $($fields)*)
            }

            fn put<'m>(&'m self, base: Option<&Self>, out: &mut Vec<$crate::io::ron_text::Slot<'m>>) {
                $crate::io::codec::record::record!(@put self, base, out; $($fields)*);
            }

            fn describe_fields(
                out: &mut $crate::io::codec::describe::Describer<'_>,
                all: &mut Vec<$crate::io::codec::describe::Property>,
            ) {
                $crate::io::codec::record::record!(@describe $type, out, all; $($fields)*);
            }
        }

        impl $crate::io::codec::describe::Describe for $type {
            fn describe(out: &mut $crate::io::codec::describe::Describer<'_>) -> serde_json::Value {
                $crate::io::codec::describe::record::<Self>(out)
            }
        }

        impl $crate::io::codec::Encode for $type {
            const OWN_LINE: bool = $own_line;

            fn form<'m>(&'m self, base: Option<&Self>) -> $crate::io::ron_text::Form<'m> {
                $crate::io::codec::record::form(self, base)
            }
        }

        impl<'t> $crate::io::codec::Decode<'t> for $type {
            fn decode(node: &$crate::io::ron_text::Node<'t>, cx: &mut $crate::io::codec::Cx<'t>) -> Option<Self> {
                $crate::io::codec::record::decode(node, cx)
            }
        }
    };

    (@same $self:ident, $other:ident;) => { true };
    (@same $self:ident, $other:ident; .. $field:ident: $inner:ident, $($rest:tt)*) => {
        $crate::io::codec::Merge::same(&$self.$field, &$other.$field)
            && $crate::io::codec::record::record!(@same $self, $other; $($rest)*)
    };
    (@same $self:ident, $other:ident; $key:literal $field:ident $(= $default:expr)?, $($rest:tt)*) => {
        $crate::io::codec::Merge::same(&$self.$field, &$other.$field)
            && $crate::io::codec::record::record!(@same $self, $other; $($rest)*)
    };

    (@merge $type:ident, $base:ident, $mine:ident, $theirs:ident, $cx:ident, [$($done:tt)*];) => {
        $type { $($done)* }
    };
    (@merge $type:ident, $base:ident, $mine:ident, $theirs:ident, $cx:ident, [$($done:tt)*];
     .. $field:ident: $inner:ident, $($rest:tt)*) => {
        $crate::io::codec::record::record!(@merge $type, $base, $mine, $theirs, $cx, [
            $($done)*
            $field: $crate::io::codec::Merge::merge(
                $base.map(|base| &base.$field), &$mine.$field, &$theirs.$field, $cx,
            ),
        ]; $($rest)*)
    };
    (@merge $type:ident, $base:ident, $mine:ident, $theirs:ident, $cx:ident, [$($done:tt)*];
     $key:literal $field:ident $(= $default:expr)?, $($rest:tt)*) => {
        $crate::io::codec::record::record!(@merge $type, $base, $mine, $theirs, $cx, [
            $($done)*
            $field: $cx.field($key, $base.map(|base| &base.$field), &$mine.$field, &$theirs.$field),
        ]; $($rest)*)
    };

    (@keys $out:ident;) => {};
    (@keys $out:ident; .. $field:ident: $inner:ident, $($rest:tt)*) => {
        <$inner as $crate::io::codec::record::Fields>::keys($out);
        $crate::io::codec::record::record!(@keys $out; $($rest)*);
    };
    (@keys $out:ident; $key:literal $field:ident $(= $default:expr)?, $($rest:tt)*) => {
        $out.push($key);
        $crate::io::codec::record::record!(@keys $out; $($rest)*);
    };

    (@describe $type:ident, $out:ident, $all:ident;) => {};
    (@describe $type:ident, $out:ident, $all:ident; .. $field:ident: $inner:ident, $($rest:tt)*) => {
        <$inner as $crate::io::codec::record::Fields>::describe_fields($out, $all);
        $crate::io::codec::record::record!(@describe $type, $out, $all; $($rest)*);
    };
    (@describe $type:ident, $out:ident, $all:ident; $key:literal $field:ident, $($rest:tt)*) => {
        $all.push(($key, $crate::io::codec::describe::of(|it: &$type| &it.$field, $out), true));
        $crate::io::codec::record::record!(@describe $type, $out, $all; $($rest)*);
    };
    (@describe $type:ident, $out:ident, $all:ident; $key:literal $field:ident = $default:expr, $($rest:tt)*) => {
        $all.push(($key, $crate::io::codec::describe::of(|it: &$type| &it.$field, $out), false));
        $crate::io::codec::record::record!(@describe $type, $out, $all; $($rest)*);
    };

    (@put $self:ident, $base:ident, $out:ident;) => {};
    (@put $self:ident, $base:ident, $out:ident; .. $field:ident: $inner:ident, $($rest:tt)*) => {
        $crate::io::codec::record::Fields::put(&$self.$field, $base.map(|base| &base.$field), $out);
        $crate::io::codec::record::record!(@put $self, $base, $out; $($rest)*);
    };
    (@put $self:ident, $base:ident, $out:ident; $key:literal $field:ident $(= $default:expr)?, $($rest:tt)*) => {
        $out.push($crate::io::ron_text::Slot {
            name: $key,
            form: $crate::io::codec::Encode::form(&$self.$field, $base.map(|base| &base.$field)),
            is_default: false $(|| $crate::io::codec::record::is(&$self.$field, || $default))?,
        });
        $crate::io::codec::record::record!(@put $self, $base, $out; $($rest)*);
    };

    // All fields are read before the first missing one ends it, so that every problem is noted.
    (@take $type:ident, $record:ident, $cx:ident, [$($done:ident)*];) => {
        Some($type { $($done: $done?),* })
    };
    (@take $type:ident, $record:ident, $cx:ident, [$($done:ident)*]; .. $field:ident: $inner:ident, $($rest:tt)*) => {{
        let $field = <$inner as $crate::io::codec::record::Fields>::take($record, $cx);
        $crate::io::codec::record::record!(@take $type, $record, $cx, [$($done)* $field]; $($rest)*)
    }};
    (@take $type:ident, $record:ident, $cx:ident, [$($done:ident)*]; $key:literal $field:ident, $($rest:tt)*) => {{
        let $field = $record.required($key, $cx);
        $crate::io::codec::record::record!(@take $type, $record, $cx, [$($done)* $field]; $($rest)*)
    }};
    (@take $type:ident, $record:ident, $cx:ident, [$($done:ident)*];
     $key:literal $field:ident = $default:expr, $($rest:tt)*) => {{
        let $field = Some($record.or($key, $cx, || $default));
        $crate::io::codec::record::record!(@take $type, $record, $cx, [$($done)* $field]; $($rest)*)
    }};
}

/// Declare the words of an enum without content.
macro_rules! words {
    ($what:literal $type:ident { $($word:ident),* $(,)? }) => {
        $crate::io::codec::merge::atoms! { $type }

        impl<'t> $crate::io::codec::Decode<'t> for $type {
            fn decode(node: &$crate::io::ron_text::Node<'t>, cx: &mut $crate::io::codec::Cx<'t>) -> Option<Self> {
                let words = [$(stringify!($word)),*];
                match &node.kind {
                    $($crate::io::ron_text::Kind::Symbol(stringify!($word)) => Some(Self::$word),)*
                    $crate::io::ron_text::Kind::Symbol(word) => cx.unknown_word($what, word, node.range(), &words),
                    _ => cx.expected(concat!("a bare word: ", $(stringify!($word), " "),*).trim_end(), node),
                }
            }
        }

        impl $crate::io::codec::describe::Describe for $type {
            fn describe(_: &mut $crate::io::codec::describe::Describer<'_>) -> serde_json::Value {
                $crate::io::codec::describe::enum_of(&[$(stringify!($word)),*])
            }
        }

        impl $crate::io::codec::Encode for $type {
            fn form<'m>(&'m self, _: Option<&Self>) -> $crate::io::ron_text::Form<'m> {
                $crate::io::ron_text::Form::Word(match self {
                    $(Self::$word => stringify!($word)),*
                })
            }
        }
    };
}

pub(crate) use {record, words};

use super::{Cx, cx::Record};
use crate::io::ron_text::{Form, Node, Slot};

/// The fields of a record; [`record!`] implements it.
pub(crate) trait Fields: Sized {
    /// What it is, for messages: `a tile`.
    const WHAT: &'static str;
    /// The names of its fields in canonical order.
    fn keys(out: &mut Vec<&'static str>);
    /// Read the fields.
    fn take<'t>(record: &mut Record<'_, 't>, cx: &mut Cx<'t>) -> Option<Self>;
    /// Add what the fields look like in JSON, in canonical order.
    fn describe_fields(out: &mut super::describe::Describer<'_>, all: &mut Vec<super::describe::Property>);
    /// Add the fields in canonical order; `base` is what the file says now, where that is known.
    fn put<'m>(&'m self, base: Option<&Self>, out: &mut Vec<Slot<'m>>);
}

/// The form of a record that has no other fields than its own.
pub(crate) fn form<'m, T: Fields>(value: &'m T, base: Option<&T>) -> Form<'m> {
    let mut slots = Vec::new();
    value.put(base, &mut slots);
    Form::Record(slots)
}

/// Whether a field has its default.
pub(crate) fn is<T: PartialEq>(value: &T, default: impl FnOnce() -> T) -> bool {
    *value == default()
}

/// Read a record that has no other fields than its own.
pub(crate) fn decode<'t, T: Fields>(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<T> {
    let mut record = Record::new(node, T::WHAT, cx)?;
    let value = T::take(&mut record, cx);
    record.finish(T::keys, cx);
    value
}
