//! Serves `users.count`.

service::main!(users::CountUsers);
