//! Serves `comments.annotations_add`.

service::main!(comments::AddAnnotations);
