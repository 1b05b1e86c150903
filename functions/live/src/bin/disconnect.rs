//! Serves `live.disconnect`.

service::main!(live::Disconnect);
