//! Serves `editors.get`.

service::main!(editors::GetEditors);
