//! Serves `documents.disable`.

service::main!(documents::DisableDocuments);
