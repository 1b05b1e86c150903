//! Serves `workspace.api_key_limits_update`.

service::main!(workspace::UpdateApiKeyLimits);
