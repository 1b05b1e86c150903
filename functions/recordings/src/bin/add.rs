//! Serves `recordings.add`.

service::main!(recordings::AddRecordings);
