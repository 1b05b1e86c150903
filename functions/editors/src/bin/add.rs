//! Serves `editors.add`.

service::main!(editors::AddEditor);
