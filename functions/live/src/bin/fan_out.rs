//! Runs `live.fan_out`.

service::worker!(live::FanOut);
