//! Only functions of the operator's family may scan tables, and have the admin token (decision 76).

use crate::{
    project::Project,
    template::{FILE, render},
};

const FAMILY: &str = "operator";
const ROLE: &str = "OperatorRole";
const SECRET: &str = "AdminTokenSecret";
/// Names that no other resource of the template may use. A PartiQL query without a partition key
/// scans.
const RESERVED: [&str; 4] = [
    "dynamodb:PartiQLSelect",
    "dynamodb:Scan",
    "!Ref AdminTokenSecret",
    "!GetAtt OperatorRole.Arn",
];

/// One sentence for each resource of the template that has a right of the operator.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let own = project.package(FAMILY).into_iter().flat_map(|package| &package.binaries);
    let own: Vec<&str> = own.map(|binary| binary.name.as_str()).collect();
    Ok(wrong(&render(project)?, &own))
}

/// The faults of a template in which the family has the functions `own`.
fn wrong(template: &str, own: &[&str]) -> Vec<String> {
    let resources = template.split_once("\nResources:\n").map_or("", |(_, rest)| rest);
    let resources = resources.split_once("\nOutputs:\n").map_or(resources, |(own, _)| own);
    let mut faults = Vec::new();
    for (name, text) in blocks(resources) {
        let serves = |name: &&str| text.contains(&format!("CodeUri: target/lambda/{name}/\n"));
        if name == ROLE || name == SECRET || own.iter().any(serves) {
            continue;
        }
        let named = RESERVED.iter().filter(|reserved| names(text, reserved));
        faults.extend(named.map(|reserved| {
            format!(
                "{FILE}: {name} has {reserved}, which only functions/{FAMILY} may; move the function there"
            )
        }));
    }
    faults
}

/// Whether a text has the words, not only a longer name that begins with them.
fn names(text: &str, words: &str) -> bool {
    let ends =
        |at: usize| !text[at + words.len()..].starts_with(|next: char| next.is_alphanumeric());
    text.match_indices(words).any(|(at, _)| ends(at))
}

/// The resources, each with its name and its text, which ends with a line feed.
fn blocks(resources: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_name = |line: &str| line.starts_with("  ") && line[2..].starts_with(char::is_alphabetic);
    let mut begins: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in resources.split_inclusive('\n') {
        if is_name(line) {
            begins.push(at);
        }
        at += line.len();
    }
    let ends = begins.clone().into_iter().skip(1).chain([resources.len()]);
    begins.into_iter().zip(ends).filter_map(|(begin, end)| {
        let text = &resources[begin..end];
        text.split_once(':').map(|(name, _)| (name.trim(), text))
    })
}

#[cfg(test)]
mod tests {
    use super::{RESERVED, wrong};

    const OWN: &[&str] = &["operator-events-repair"];

    fn template(resource: &str, text: &str) -> String {
        format!(
            "Globals: {{}}\n\nResources:\n  OperatorRole:\n    Action: [dynamodb:Scan]\n    \
             Resource: !Ref AdminTokenSecret\n\n  {resource}:\n{text}\n  Last:\n    Type: x\n\n\
             Outputs:\n  Arn:\n    Value: !Ref AdminTokenSecret\n"
        )
    }

    #[test]
    fn only_the_family_of_the_operator_has_its_rights() {
        for reserved in RESERVED {
            let text = format!("    Action: [{reserved}, dynamodb:Query]\n");
            let faults = wrong(&template("WorkspaceRole", &text), OWN);
            let wanted = format!("template.yaml: WorkspaceRole has {reserved}, ");
            assert!(matches!(&faults[..], [fault] if fault.starts_with(&wanted)), "{faults:?}");
            let own = format!("    CodeUri: target/lambda/operator-events-repair/\n{text}");
            assert_eq!(wrong(&template("OperatorEventsRepairFunction", &own), OWN), [""; 0]);
            let alike = format!("    CodeUri: target/lambda/operator-events-repair-x/\n{text}");
            assert_eq!(wrong(&template("OperatorXFunction", &alike), OWN).len(), 1);
        }
        let longer = "    Action: [dynamodb:Scanner]\n    Ref: !Ref AdminTokenSecretPolicy\n";
        assert_eq!(wrong(&template("WorkspaceRole", longer), OWN), [""; 0]);
    }
}
