//! Serves the function of this family that the Lambda setting `Handler` names.

service::family!(operator::OPERATIONS, operator::WORKERS);
