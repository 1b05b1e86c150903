//! Serves `workspace.create`.

service::main!(workspace::CreateWorkspace);
