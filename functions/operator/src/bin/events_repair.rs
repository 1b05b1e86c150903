//! Runs `operator.events_repair`.

service::worker!(operator::RepairEvents);
