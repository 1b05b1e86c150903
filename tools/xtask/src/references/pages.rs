//! server/roundtable/src/cli/pages.rs: the list of the pages that the binary has.

use std::fs;

use crate::project::Project;

/// The generated file.
pub(crate) const FILE: &str = "server/roundtable/src/cli/pages.rs";
/// The folders of the pages below `docs`.
const FOLDERS: &[&str] = &["", "contract/", "decisions/"];

/// The expected list.
pub(crate) fn render(project: &Project) -> Result<String, String> {
    let names = names(project)?;
    let pages: String = names.iter().map(|name| format!("        page!(\"{name}\"),\n")).collect();
    Ok(format!(
        "\
//! The pages of `docs/`. `cargo xtask generate` writes this file.

use markdown::Page;

macro_rules! page {{
    ($name:literal) => {{
        Page {{
            file: concat!(\"docs/\", $name, \".md\").into(),
            text: include_str!(concat!(\"../../../../docs/\", $name, \".md\")).into(),
        }}
    }};
}}

/// All of them, by name.
pub(crate) fn all() -> Vec<Page> {{
    vec![
{pages}    ]
}}
"
    ))
}

/// The pages without `docs/` and `.md`.
pub(crate) fn names(project: &Project) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for folder in FOLDERS {
        let entries = match fs::read_dir(project.root.join("docs").join(folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("docs/{folder}: {error}")),
        };
        for entry in entries {
            let name = entry.map_err(|e| format!("docs/{folder}: {e}"))?.file_name();
            let name = name.to_string_lossy();
            names.extend(name.strip_suffix(".md").map(|name| format!("{folder}{name}")));
        }
    }
    names.sort();
    Ok(names)
}
