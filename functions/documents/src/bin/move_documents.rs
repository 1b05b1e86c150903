//! Serves `documents.move_documents`.

service::main!(documents::MoveDocuments);
