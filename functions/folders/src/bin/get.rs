//! Serves `folders.get`.

service::main!(folders::GetFolders);
