//! Runs `user-data.erase`.

service::main!(user_data::EraseUser);
