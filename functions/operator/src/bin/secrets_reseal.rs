//! Serves `operator.secrets_reseal`.

service::main!(operator::ResealSecrets);
