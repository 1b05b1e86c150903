//! Serves `editors.state_get`.

service::main!(editors::GetState);
