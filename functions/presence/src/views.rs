//! Types that several operations share.

use service::prelude::*;

#[derive(Serialize, JsonSchema)]
pub struct Done {
    success: bool,
}

impl Done {
    pub(crate) const DONE: Self = Self { success: true };
}
