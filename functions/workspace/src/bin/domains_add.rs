//! Serves `workspace.domains_add`.

service::main!(workspace::AddDomains);
