//! Serves `comments.get`.

service::main!(comments::GetComments);
