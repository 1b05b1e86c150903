//! Serves `configuration.activities_get`.

service::main!(configuration::GetActivityConfig);
