//! Runs `live.unauthenticated`.

service::main!(live::Unauthenticated);
