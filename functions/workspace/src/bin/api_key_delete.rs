//! Serves `workspace.api_key_delete`.

service::main!(workspace::DeleteApiKey);
