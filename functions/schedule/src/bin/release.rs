//! Runs `schedule.release`.

service::worker!(schedule::Release);
