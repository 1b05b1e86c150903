//! Runs `operator.events_repair`.

service::main!(operator::RepairEvents);
