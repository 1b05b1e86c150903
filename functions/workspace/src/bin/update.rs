//! Serves `workspace.update`.

service::main!(workspace::UpdateWorkspace);
