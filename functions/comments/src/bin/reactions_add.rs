//! Serves `comments.reactions_add`.

service::main!(comments::AddReaction);
