//! Serves `editors.versions_add`.

service::main!(editors::AddVersion);
