//! Runs `journal.repair`.

service::worker!(journal::RepairEvents);
