//! Serves `comments.annotations_subscribe`.

service::main!(comments::Subscribe);
