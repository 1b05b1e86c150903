//! Serves `editors.versions_update`.

service::main!(editors::UpdateVersion);
