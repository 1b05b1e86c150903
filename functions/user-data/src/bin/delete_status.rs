//! Runs `user-data.delete_status`.

service::main!(user_data::GetDeletion);
