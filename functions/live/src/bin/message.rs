//! Serves `live.message`.

service::socket!(live::Message);
