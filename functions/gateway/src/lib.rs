//! The default route, for paths without an operation. The family is only its binary.
