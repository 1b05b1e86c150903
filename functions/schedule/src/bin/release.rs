//! Runs `schedule.release`.

service::main!(schedule::Release);
