//! Quotas of CloudFormation and API Gateway, and the template's usage.

use crate::{
    project::Project,
    template::{FILE, families, render},
};

struct Quota {
    what: &'static str,
    count: usize,
    max: usize,
}

fn quotas(project: &Project) -> Result<Vec<Quota>, String> {
    let template = render(project)?;
    let count = |begin: &str| template.lines().filter(|line| line.starts_with(begin)).count();
    // SAM makes two resources of the API, and one more of each event source.
    let resources = count("    Type: AWS::") + count("          Type: ") + 1;
    let routes = project.specs().map(|spec| spec.paths.len()).sum::<usize>()
        + project.pages().count() * service::PageSpec::METHODS.len()
        + 1;
    // SAM copies the common settings into each function. Comments and indentation, which it drops,
    // outweigh these copies.
    let (functions, globals) = (functions(project), section(&template, "Globals"));
    let copies = functions.saturating_sub(1);
    let bytes = template.len() + copies * globals.len();
    // It is not documented whether a repeated text counts once.
    let references = |text: &str| text.matches("{{resolve:").count();
    let references = references(&template) + copies * references(globals);
    let entries = |name: &str| {
        let lines = section(&template, name).lines().skip(1);
        lines.filter(|line| line.starts_with("  ") && !line[2..].starts_with([' ', '#'])).count()
    };
    Ok(vec![
        Quota { what: "routes", count: routes, max: 300 },
        Quota { what: "resources", count: resources, max: 500 },
        Quota { what: "parameters", count: entries("Parameters"), max: 200 },
        Quota { what: "outputs", count: entries("Outputs"), max: 200 },
        Quota { what: "dynamic references", count: references, max: 60 },
        Quota { what: "bytes", count: bytes, max: 1_000_000 },
    ])
}

/// The number of functions, that of the default route included.
fn functions(project: &Project) -> usize {
    project.families.iter().map(|family| family.functions().count()).sum::<usize>() + 1
}

/// A top-level section of the template, its name included.
fn section<'a>(template: &'a str, name: &str) -> &'a str {
    let begin = template.find(&format!("\n{name}:\n")).map_or(template.len(), |at| at + 1);
    let text = &template[begin..];
    let next = text
        .match_indices('\n')
        .find(|(at, _)| text[at + 1..].starts_with(|first: char| first.is_ascii_uppercase()));
    next.map_or(text, |(end, _)| &text[..=end])
}

/// The size of the deployment in a sentence.
pub(crate) fn figures(project: &Project) -> Result<String, String> {
    let parts = quotas(project)?;
    let parts = parts.iter().map(|Quota { what, count, max }| format!("{count} of {max} {what}"));
    let (functions, families) = (functions(project), families(project).len());
    let parts: Vec<String> = parts.collect();
    Ok(format!("{functions} functions in {families} families, {}.", parts.join(", ")))
}

/// Quotas that the stack exceeds.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let over = quotas(project)?.into_iter().filter(|quota| quota.count > quota.max);
    Ok(over
        .map(|Quota { what, count, max }| format!("{FILE}: {count} {what}, a stack may have {max}"))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn a_section_ends_where_the_next_one_begins() {
        let template = "A: 1\nGlobals:\n  x: 1\n\n  # y\nResources:\n  z: 1\n";
        assert_eq!(section(template, "Globals"), "Globals:\n  x: 1\n\n  # y\n");
        assert_eq!(section(template, "Resources"), "Resources:\n  z: 1\n");
        assert_eq!(section(template, "Outputs"), "");
    }
}
