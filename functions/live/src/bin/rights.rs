//! Runs `live.rights`.

service::main!(live::Rights);
