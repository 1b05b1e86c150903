//! Serves `editors.update`.

service::main!(editors::UpdateEditor);
