//! What people make in documents: threads of comments, recordings, shared editors, live state and
//! presence, the log of activities, and the agents that take part.

pub mod activity;
pub mod agent;
pub mod behavior;
pub mod blocks;
pub mod comment;
pub mod editor;
pub mod live_state;
pub mod presence;
pub mod recording;
