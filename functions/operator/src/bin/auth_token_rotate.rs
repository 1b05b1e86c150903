//! Serves `operator.auth_token_rotate`.

service::main!(operator::RotateWorkspaceToken);
