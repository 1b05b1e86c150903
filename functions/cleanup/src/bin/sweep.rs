//! Runs `cleanup.sweep`.

service::main!(cleanup::Sweep);
