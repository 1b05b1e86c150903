//! Jobs that erase users.

use model::{JobId, Millis, user_data::ErasureJob};

use crate::layout::{Entity, Key, Place};

impl Entity for ErasureJob {
    const KIND: &'static str = "erasure";
    const NOUN: &'static str = "job";
    type Id = JobId;
    fn id(&self) -> JobId {
        self.job_id.clone()
    }
    fn shown(id: &JobId) -> &str {
        id.as_str()
    }
    fn place(id: &JobId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn expires(&self) -> Option<Millis> {
        Some(self.ends())
    }
}
