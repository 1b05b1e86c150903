//! Serves `editors.changes_revert`.

service::main!(editors::RevertChanges);
