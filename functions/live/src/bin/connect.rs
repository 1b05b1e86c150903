//! Serves `live.connect`.

service::socket!(live::Connect);
