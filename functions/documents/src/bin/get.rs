//! Serves `documents.get`.

service::main!(documents::GetDocuments);
