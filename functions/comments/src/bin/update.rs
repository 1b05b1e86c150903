//! Serves `comments.update`.

service::main!(comments::UpdateComments);
