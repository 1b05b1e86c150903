//! Serves `editors.versions_restore`.

service::main!(editors::RestoreVersion);
