//! Serves `documents.access_update`.

service::main!(documents::UpdateDocumentAccess);
