//! Serves `comments.annotations_unsubscribe`.

service::main!(comments::Unsubscribe);
