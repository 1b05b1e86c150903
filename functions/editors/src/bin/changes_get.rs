//! Serves `editors.changes_get`.

service::main!(editors::GetChanges);
