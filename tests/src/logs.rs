//! The log lines of every deployment of this process.

use std::{io::Write, sync::Once};

use parking_lot::Mutex;
use service::BoxMakeWriter;

use crate::rights::variable;

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LINES.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let level = variable("LOG_LEVEL");
        service::log_to(BoxMakeWriter::new(|| Lines), level.as_deref()).expect("a level");
    });
}

/// All log lines of the process so far.
pub fn logged() -> String {
    let lines = LINES.lock();
    String::from_utf8_lossy(&lines).into_owned()
}
