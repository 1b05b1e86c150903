//! Serves `users.update`.

service::main!(users::UpdateUsers);
