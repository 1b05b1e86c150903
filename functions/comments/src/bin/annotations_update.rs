//! Serves `comments.annotations_update`.

service::main!(comments::UpdateAnnotations);
