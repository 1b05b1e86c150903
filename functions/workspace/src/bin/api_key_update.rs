//! Serves `workspace.api_key_update`.

service::main!(workspace::UpdateApiKey);
