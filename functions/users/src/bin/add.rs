//! Serves `users.add`.

service::main!(users::AddUsers);
