//! Serves `workspace.domains_delete`.

service::main!(workspace::DeleteDomains);
