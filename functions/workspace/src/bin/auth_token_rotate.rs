//! Serves `workspace.auth_token_rotate`.

service::main!(workspace::RotateWorkspaceToken);
