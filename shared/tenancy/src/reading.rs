//! Lists. A [`Collection`] is all entities of one kind in one scope. A list is a query of the table
//! or of an index from the end of the previous page, so a page costs what its items cost, whichever
//! page it is.
//!
//! [`Rows`] has what features need besides: queries, and units of writes. `page.rs` has sealed page tokens that are valid for one
//! list only; `links.rs` the rows of users that lead to items; `walk.rs` lists with two directions; `timed.rs` lists by time, and `merged.rs` several of them read as one. Indexes
//! project keys: the listed items are read from the table.

mod collection;
mod links;
mod merged;
mod page;
mod rows;
mod timed;
mod walk;

pub use collection::Collection;
pub use collection::{
    MAX_PAGE_BYTES, cursor, existing, missing, new_version, sort_name, start_key,
};
pub use links::{Followed, Links};
pub use merged::{At, Chunk, List, merge};
pub use page::{DEFAULT_PAGE_SIZE, Page, Paged};
pub use rows::{AsRows, Rows};
pub use timed::{MAX_SCANNED, page_of};
pub use walk::{Walk, Walked};
