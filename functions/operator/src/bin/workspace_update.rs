//! Serves `operator.workspace_update`.

service::main!(operator::UpdateWorkspace);
