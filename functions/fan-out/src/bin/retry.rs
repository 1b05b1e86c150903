//! Runs `fan-out.retry`.

service::worker!(fan_out::RetryFanOut);
