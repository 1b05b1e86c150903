//! Serves `workspace.api_keys_get`.

service::main!(workspace::GetApiKeys);
