//! Serves `users.delete`.

service::main!(users::DeleteUsers);
