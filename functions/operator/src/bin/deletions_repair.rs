//! Serves `operator.deletions_repair`.

service::main!(operator::RepairDeletions);
