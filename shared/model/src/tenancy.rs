//! Tenancy and access: workspaces, keys with their configuration, organizations, folders,
//! documents, users, groups, and rights at each level.

pub mod access;
pub mod api_key;
pub mod config;
pub mod document;
pub mod folder;
pub mod group;
pub mod life;
pub mod limits;
pub mod organization;
pub mod resource;
pub mod rights;
pub mod user;
pub mod visibility;
pub mod workspace;
