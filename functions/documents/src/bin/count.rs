//! Serves `documents.count`.

service::main!(documents::CountDocuments);
