//! Serves `comments.delete`.

service::main!(comments::DeleteComments);
