//! openapi.json: what the generator writes, and what it keeps of the released one.

use serde_json::Value;

use crate::{project::Project, references::Pages};

/// The generated file.
pub(crate) const FILE: &str = "openapi.json";
/// A copy of [`FILE`] as it was released. Until there is one, everything may change.
const RELEASED: &str = "openapi.released.json";

/// The expected openapi.json.
pub(crate) fn render(project: &Project) -> Result<String, String> {
    let pages = Pages::open(project)?;
    openapi::render(&openapi::Repository {
        read: &|file| project.read_if_there(file),
        link: &|text| pages.linked(text),
    })
}

/// One sentence for each promise of the released version that is broken.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let Some(released) = project.read_if_there(RELEASED)? else { return Ok(vec![]) };
    let parse = |text: &str| serde_json::from_str::<Value>(text).map_err(|e| e.to_string());
    let breaks = openapi::breaks(&parse(&released)?, &parse(&project.read(FILE)?)?);
    Ok(breaks.iter().map(|fault| format!("{RELEASED}: {fault}")).collect())
}
