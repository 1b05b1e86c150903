//! Files derived from the registry, and their places.

use crate::{
    licences, operations,
    project::Project,
    references::{interface, pages},
    template,
};

/// All generated files, wholly or in part, with their expected text.
pub(crate) fn derived(project: &Project) -> Result<Vec<(&'static str, String)>, String> {
    let mut derived = vec![
        ("template.yaml", template::render(project)?),
        (interface::FILE, interface::render(project)?),
        ("docs/OPERATIONS.md", operations::render(project)?),
        ("functions/gateway/src/paths.txt", operations::paths(project)),
        (pages::FILE, pages::render(project)?),
    ];
    derived.extend(licences::copies(project)?);
    Ok(derived)
}

/// Writes those that differ.
pub(crate) fn generate(project: &Project) -> Result<(), String> {
    for (name, wanted) in derived(project)? {
        if project.read_if_there(name)?.as_deref() != Some(wanted.as_str()) {
            project.write(name, &wanted)?;
            println!("{name} was written.");
        }
    }
    Ok(())
}
