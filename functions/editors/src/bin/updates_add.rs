//! Serves `editors.updates_add`.

service::main!(editors::AddUpdates);
