//! Serves `recordings.delete`.

service::main!(recordings::DeleteRecordings);
