//! Serves `workspace.auth_token_reset`.

service::main!(workspace::ResetAuthToken);
