//! Serves `workspace.secrets_reseal`.

service::main!(workspace::ResealSecrets);
