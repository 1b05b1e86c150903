//! The requests of functions to AWS in a test run, compared with the permissions of their roles.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::Write as _,
};

use embedded::Asked;

/// A variable of the environment that is not empty.
#[expect(clippy::disallowed_methods, reason = "a test run is told by its environment what to do")]
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Adds to the file that `ROUNDTABLE_RIGHTS` names, if it names one: a line for each action, with
/// the function and the resource.
pub fn record(asked: &[Asked]) {
    let Some(file) = variable("ROUNDTABLE_RIGHTS") else { return };
    let line = |asked: &Asked| {
        let Asked { caller, action, resource, allowed } = asked;
        format!("{caller} {action} {resource} {allowed}\n")
    };
    let lines: String = asked.iter().map(line).collect();
    let file = File::options().append(true).create(true).open(file);
    // At once, so that the lines of tests beside this one do not come in between.
    let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
    written.expect("the file of rights");
}

/// A family, an action, and a resource.
pub type Right = (String, String, String);

pub type Rights = BTreeSet<Right>;

/// Recorded actions: used, and denied.
pub fn recorded(text: &str) -> (Rights, Rights) {
    let families: BTreeMap<String, &str> = registry::families()
        .iter()
        .flat_map(|family| family.functions().map(move |function| (function, family.name)))
        .collect();
    let (mut used, mut denied) = (Rights::new(), Rights::new());
    for line in text.lines() {
        let mut words = line.split(' ').map(str::to_owned);
        let mut next = || words.next().unwrap_or_default();
        let (function, action, resource, allowed) = (next(), next(), next(), next());
        let family = families.get(&function).copied().unwrap_or_default().to_owned();
        let rights = if allowed == "true" { &mut used } else { &mut denied };
        rights.insert((family, action, resource));
    }
    (used, denied)
}

/// The granted rights of functions.
pub fn granted() -> Rights {
    let families = registry::families();
    let of_family = |family: &service::Family| -> Rights {
        let statements = registry::policy(family);
        let rights = statements.iter().flat_map(|statement| {
            let own = statement.actions.iter().filter(|action| !statement.is_of_lambda(action));
            let resource = roundtable::arn(family, statement.resource);
            own.map(move |action| (family.name.to_owned(), action.clone(), resource.clone()))
        });
        rights.collect()
    };
    families.iter().flat_map(of_family).collect()
}
