//! Serves `editors.versions_get`.

service::main!(editors::GetVersion);
