//! Runs `live.changes`.

service::worker!(live::Changes);
