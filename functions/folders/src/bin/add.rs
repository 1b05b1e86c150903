//! Serves `folders.add`.

service::main!(folders::AddFolders);
