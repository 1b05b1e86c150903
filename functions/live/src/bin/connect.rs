//! Serves `live.connect`.

service::main!(live::Connect);
