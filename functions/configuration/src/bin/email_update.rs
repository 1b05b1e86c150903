//! Serves `configuration.email_update`.

service::main!(configuration::UpdateEmailConfig);
