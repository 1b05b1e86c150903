//! Serves `editors.authors_get`.

service::main!(editors::GetAuthors);
