//! Serves `users.get`.

service::main!(users::GetUsers);
