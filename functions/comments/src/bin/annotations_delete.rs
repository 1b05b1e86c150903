//! Serves `comments.annotations_delete`.

service::main!(comments::DeleteAnnotations);
