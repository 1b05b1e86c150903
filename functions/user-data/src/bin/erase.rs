//! Runs `user-data.erase`.

service::worker!(user_data::EraseUser);
