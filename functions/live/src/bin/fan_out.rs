//! Runs `live.fan_out`.

service::main!(live::FanOut);
