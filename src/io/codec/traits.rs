//! What types need to be part of a document that files hold.

use super::Cx;
use crate::io::ron_text::{Form, Node};

/// What can be read from a node. `None` means that the reasons have been noted.
pub(crate) trait Decode<'t>: Sized {
    /// Read it.
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self>;
}

/// What can be written.
pub(crate) trait Encode {
    /// Its form in a file. `base` is the present content of the file, where that is known: parts shared with it by
    /// `Arc` need not be compared.
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m>;
}
