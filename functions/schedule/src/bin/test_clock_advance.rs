//! Serves `schedule.test_clock_advance`.

service::main!(schedule::AdvanceTestClock);
