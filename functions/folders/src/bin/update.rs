//! Serves `folders.update`.

service::main!(folders::UpdateFolders);
