//! Serves `comments.annotations_get`.

service::main!(comments::GetAnnotations);
