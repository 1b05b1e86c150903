//! Serves `workspace.api_key_config_update`.

service::main!(workspace::UpdateApiKeyConfig);
