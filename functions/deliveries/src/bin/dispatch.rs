//! Runs `deliveries.dispatch`.

service::worker!(deliveries::Dispatch);
