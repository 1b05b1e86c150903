//! Runs `journal.events`.

service::worker!(journal::JournalEvents);
