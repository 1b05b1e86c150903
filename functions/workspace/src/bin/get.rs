//! Serves `workspace.get`.

service::main!(workspace::GetWorkspace);
