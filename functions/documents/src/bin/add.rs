//! Serves `documents.add`.

service::main!(documents::AddDocuments);
