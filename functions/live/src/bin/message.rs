//! Serves `live.message`.

service::main!(live::Message);
