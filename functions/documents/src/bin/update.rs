//! Serves `documents.update`.

service::main!(documents::UpdateDocuments);
