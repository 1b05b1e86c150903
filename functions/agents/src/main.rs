//! Serves every function of this family, as its handler names it.

service::family!(agents::OPERATIONS);
