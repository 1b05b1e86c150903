//! Whose things are, and who may reach them: workspaces, keys with their configuration, organizations,
//! folders, documents, users, groups, and the rights of users at each level.

pub mod access;
pub mod api_key;
pub mod config;
pub mod document;
pub mod folder;
pub mod group;
pub mod limits;
pub mod organization;
pub mod resource;
pub mod user;
pub mod visibility;
pub mod workspace;
