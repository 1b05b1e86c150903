//! Runs `editors.compact`.

service::main!(editors::Compact);
