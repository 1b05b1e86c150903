//! Serves `users.generate_token`.

service::main!(users::GenerateToken);
