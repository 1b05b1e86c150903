//! Runs `live.unauthenticated`.

service::worker!(live::Unauthenticated);
