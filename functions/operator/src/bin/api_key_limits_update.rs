//! Serves `operator.api_key_limits_update`.

service::main!(operator::UpdateApiKeyLimits);
