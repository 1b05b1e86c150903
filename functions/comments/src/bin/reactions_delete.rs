//! Serves `comments.reactions_delete`.

service::main!(comments::DeleteReaction);
