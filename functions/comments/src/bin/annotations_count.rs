//! Serves `comments.annotations_count`.

service::main!(comments::CountAnnotations);
