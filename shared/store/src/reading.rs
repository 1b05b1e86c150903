//! Lists. A [`Collection`] is all entities of one kind in one scope. A list is a query of the table or of
//! an index from where the page before ended, so a page costs what its items cost, whichever page it is.
//!
//! `page.rs` has sealed page tokens that are good for one list only; `walk.rs` lists that go both ways;
//! `merged.rs` several lists by time read as one. Indexes hold keys: what they list is read where it lies.

mod collection;
mod merged;
mod page;
mod walk;

pub use collection::Collection;
pub(crate) use collection::{
    MAX_PAGE_BYTES, cursor, existing, missing, new_version, sort_name, start_key,
};
pub(crate) use merged::{At, List};
pub use page::{DEFAULT_PAGE_SIZE, Page, Paged};
pub use walk::{Walk, Walked};
