//! Serves every function of this family, as its handler names it.

service::family!(user_data::OPERATIONS, user_data::WORKERS);
