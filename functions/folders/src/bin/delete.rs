//! Serves `folders.delete`.

service::main!(folders::DeleteFolder);
