//! Serves `folders.access_update`.

service::main!(folders::UpdateFolderAccess);
