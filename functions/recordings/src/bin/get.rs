//! Serves `recordings.get`.

service::main!(recordings::GetRecordings);
