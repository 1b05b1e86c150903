//! Runs `live.rights`.

service::worker!(live::Rights);
