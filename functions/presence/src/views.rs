//! What several operations show.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
pub struct Done {
    success: bool,
}

impl Done {
    pub(crate) const DONE: Self = Self { success: true };
}
