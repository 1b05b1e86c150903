//! Serves `configuration.email_get`.

service::main!(configuration::GetEmailConfig);
