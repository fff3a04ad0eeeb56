//! Standard output and standard error.

use std::io::{self, Write as _};

/// Write to standard output. Returns whether it got there; a reader that has gone away, as `head` does, has what it
/// wanted.
pub(super) fn print(text: &str) -> bool {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
            eprint(&format!("error: the output could not be written: {why}\n"));
            false
        }
        _ => true,
    }
}

/// Write to standard error; the colors that are in it are those it takes.
pub(super) fn eprint(text: &str) {
    let choice = anstream::AutoStream::choice(&io::stderr());
    let _ = match choice {
        // Nothing is taken out of text that has no colors of ours.
        anstream::ColorChoice::Never => io::stderr().lock().write_all(text.as_bytes()),
        _ => anstream::stderr().lock().write_all(text.as_bytes()),
    };
}
