//! The prelude of functions: its names are imported together.

use std::collections::BTreeSet;

use super::source::{Source, Words};
use crate::project::Project;

const PRELUDE: &str = "shared/service/src/prelude.rs";

/// One sentence for each import of a name of the prelude by itself.
pub(super) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let names = names(&project.read(PRELUDE)?).map_err(|e| format!("{PRELUDE}: {e}"))?;
    let mut faults = Vec::new();
    for file in project.rust_files("functions")? {
        let alone = alone(&project.read(&file)?, &names).map_err(|e| format!("{file}: {e}"))?;
        let fault = |path: Words| {
            let path = path.join("::");
            format!("{file}: imports {path} by itself; `use service::prelude::*` has it")
        };
        faults.extend(alone.into_iter().map(fault));
    }
    Ok(faults)
}

/// The paths by which functions could import the names of the prelude.
fn names(prelude: &str) -> Result<BTreeSet<Words>, String> {
    let exports = Source::read(prelude, &[])?.imports.into_iter();
    let named = exports.filter_map(|export| export.name.map(|name| (export.path, name)));
    Ok(named.flat_map(|(path, name)| [path, vec!["service".to_owned(), name]]).collect())
}

/// Imports of names of the prelude under their own names.
fn alone(text: &str, names: &BTreeSet<Words>) -> Result<Vec<Words>, String> {
    let imports = Source::read(text, &[])?.imports.into_iter();
    let alone = imports.filter(|import| import.name.as_ref() == import.path.last());
    Ok(alone.map(|import| import.path).filter(|path| names.contains(path)).collect())
}

#[cfg(test)]
mod tests {
    use super::{alone, names};

    #[test]
    fn a_name_of_the_prelude_is_not_imported_by_itself() {
        let prelude = "pub use auth::ApiKey; pub use model::UserId; pub use store::prelude::*;";
        let names = names(prelude).unwrap();
        let alone = |text: &str| {
            let found = alone(text, &names).unwrap();
            found.iter().map(|path| path.join("::")).collect::<Vec<_>>()
        };
        let found = alone("use service::{ApiKey, Body, prelude::*}; use model::{GroupId, UserId};");
        assert_eq!(found, ["service::ApiKey", "model::UserId"]);
        assert!(alone("use service::{Body, prelude::*}; use model::UserId as Id;").is_empty());
        assert!(alone("use rooms::ApiKey; use service::store::users::UserId;").is_empty());
    }
}
