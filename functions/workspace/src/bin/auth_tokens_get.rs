//! Serves `workspace.auth_tokens_get`.

service::main!(workspace::GetAuthTokens);
