//! Serves `operator.workspace_create`.

service::main!(operator::CreateWorkspace);
