//! Runs `journal.events`.

service::main!(journal::JournalEvents);
