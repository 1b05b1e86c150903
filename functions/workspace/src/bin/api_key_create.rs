//! Serves `workspace.api_key_create`.

service::main!(workspace::CreateApiKey);
