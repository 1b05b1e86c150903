//! Runs `cleanup.sweep`.

service::worker!(cleanup::Sweep);
