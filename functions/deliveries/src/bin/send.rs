//! Runs `deliveries.send`.

service::main!(deliveries::Send);
