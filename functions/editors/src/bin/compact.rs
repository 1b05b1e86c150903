//! Runs `editors.compact`.

service::worker!(editors::Compact);
