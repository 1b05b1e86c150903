//! Serves `editors.delete`.

service::main!(editors::DeleteEditors);
