//! Serves `workspace.domains_get`.

service::main!(workspace::GetDomains);
