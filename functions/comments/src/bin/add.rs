//! Serves `comments.add`.

service::main!(comments::AddComments);
