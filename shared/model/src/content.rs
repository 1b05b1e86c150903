//! Content of documents: threads of comments, recordings, shared editors, live state, presence, the
//! activity log, and agents.

pub mod activity;
pub mod agent;
pub mod behavior;
pub mod blocks;
pub mod comment;
pub mod editor;
pub mod live_state;
pub mod presence;
pub mod recording;
