//! Serves `workspace.api_key_config_get`.

service::main!(workspace::GetApiKeyConfig);
