//! Serves `documents.delete`.

service::main!(documents::DeleteDocuments);
