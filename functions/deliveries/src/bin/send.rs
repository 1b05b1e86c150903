//! Runs `deliveries.send`.

service::worker!(deliveries::Send);
