//! Serves `configuration.activities_update`.

service::main!(configuration::UpdateActivityConfig);
