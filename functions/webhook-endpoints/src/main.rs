//! Serves every function of this family, as its handler names it.

service::family!(webhook_endpoints::OPERATIONS);
