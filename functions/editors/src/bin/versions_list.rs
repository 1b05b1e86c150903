//! Serves `editors.versions_list`.

service::main!(editors::ListVersions);
