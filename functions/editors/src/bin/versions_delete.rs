//! Serves `editors.versions_delete`.

service::main!(editors::DeleteVersion);
