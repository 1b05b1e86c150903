//! Runs `fan-out.events`.

service::worker!(fan_out::FanOutEvents);
