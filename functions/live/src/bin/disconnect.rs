//! Serves `live.disconnect`.

service::socket!(live::Disconnect);
