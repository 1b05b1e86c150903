//! Serves every function of this family, as its handler names it.

service::family!(live::SOCKETS, live::WORKERS);
