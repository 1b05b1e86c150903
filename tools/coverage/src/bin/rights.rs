//! The rights of families, compared with those that a test run used
//! (`ROUNDTABLE_RIGHTS=FILE cargo test -p tests`).

use std::{fs, process::Command, process::ExitCode};

use service::{Access, Family};
use tests::rights::{Right, Rights, granted, recorded};

const USAGE: &str = "\
Usage: rights [--add | --set] FILE

Compares the rights of families with those that a test run wrote into the file: prints rights that were
used and denied, or granted and not used, and fails if there are any.

  --add  adds those that were denied to the access.rs of their families
  --set  also takes out those that were not used, which asks for a run of all tests";

/// Rights that not every family uses in a test, because shared code uses them: the action, the end
/// of the resource, and the reason. May only shrink.
const SHARED: [(&str, &str, &str); 2] = [
    ("sqs:SendMessage", "-dead", "a message is given up with the reason of its last failure"),
    ("dynamodb:UpdateItem", "-Schedule", "a tenant near its limits shares what it used of them"),
];

/// Rights used only with more data than tests have: the family, the action, the end of the
/// resource, and the occasion. May only shrink.
const RARE: [(&str, &str, &str, &str); 4] = [
    (
        "deliveries",
        "dynamodb:BatchGetItem",
        "-Crdt",
        "the parts of a large snapshot are read at once",
    ),
    (
        "journal",
        "sqs:SendMessage",
        "-emails",
        "a mail that waits to be tried again is woken by a moved clock",
    ),
    ("user-data", "dynamodb:BatchWriteItem", "-Schedule", "an erasure goes on in several orders"),
    ("user-data", "dynamodb:PutItem", "-Events", "the entry of an erased event is written anew"),
];

/// The treatment of rights that differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Compare,
    Add,
    Set,
}

/// The rights that a test run used, and those that it was denied.
struct Run {
    used: Rights,
    denied: Rights,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (order, file) = match arguments[..] {
        ["--add", file] => (Order::Add, file),
        ["--set", file] => (Order::Set, file),
        [file] if !file.starts_with('-') => (Order::Compare, file),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let run = match fs::read_to_string(file) {
        Ok(text) => Run::read(&text),
        Err(error) => {
            eprintln!("{file} cannot be read: {error}");
            return ExitCode::from(2);
        }
    };
    let faults = match order {
        Order::Compare => run.compare(),
        Order::Add | Order::Set => run.write(order),
    };
    faults.iter().for_each(|fault| println!("{fault}"));
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Run {
    fn read(text: &str) -> Self {
        let (used, denied) = recorded(text);
        Self { used, denied }
    }

    fn has_used(&self, right: &Right) -> bool {
        self.used.iter().any(|asked| covers(right, asked))
    }

    /// Prints what was granted and not used; returns the faults.
    fn compare(&self) -> Vec<String> {
        let granted = granted();
        let unused: Rights =
            granted.iter().filter(|right| !self.has_used(right)).cloned().collect();
        println!("{} rights, {} of them used.", granted.len(), granted.len() - unused.len());
        let mut faults = Vec::new();
        for (family, action, resource) in &self.denied {
            faults.push(format!("used and not granted: {family} {action} {resource}"));
        }
        for right in &unused {
            let (family, action, resource) = right;
            let line = format!("granted and not used: {family} {action} {resource}");
            match reason(right) {
                Some(reason) => println!("{line}: {reason}"),
                None => faults.push(format!("{line}; `cargo xtask record` takes it out")),
            }
        }
        let is_needless = |excuses: &dyn Fn(&Right) -> bool| !unused.iter().any(excuses);
        for excuse @ (action, end, _) in SHARED {
            if is_needless(&|right| is_shared(&excuse, right)) {
                faults.push(format!("SHARED excuses nothing by {action} {end}; take it out"));
            }
        }
        for excuse @ (family, action, end, _) in RARE {
            if is_needless(&|right| is_rare(&excuse, right)) {
                faults
                    .push(format!("RARE excuses nothing by {family} {action} {end}; take it out"));
            }
        }
        faults
    }

    /// Writes the files of families whose rights differ; returns what none of them can grant.
    fn write(&self, order: Order) -> Vec<String> {
        let (mut faults, mut grantable) = (Vec::new(), Rights::new());
        for family in registry::families() {
            let former = registry::single_rights(family.access);
            let mut rights = former.clone();
            if order == Order::Set {
                rights.retain(|right| self.is_needed(&family, right));
            }
            for right in registry::every_right() {
                let names = names(&family, &right);
                let is_denied =
                    self.denied.iter().any(|asked| names.iter().any(|name| covers(name, asked)));
                if is_denied && !rights.contains(&right) {
                    rights.push(right);
                }
                grantable.extend(names);
            }
            if rights != former {
                faults.extend(rewrite(&family, &rights).err());
            }
        }
        let is_other = |asked: &&Right| !grantable.iter().any(|name| covers(name, asked));
        let others = self.denied.iter().filter(is_other);
        faults.extend(others.map(|(family, action, resource)| {
            format!("{family} used {action} on {resource}, which no `Access` grants")
        }));
        faults
    }

    fn is_needed(&self, family: &Family, right: &Access) -> bool {
        let names = names(family, right);
        // Without names, a right is none of calls and jobs, so none of them shows that it is used.
        names.is_empty() || names.iter().any(|name| self.has_used(name) || reason(name).is_some())
    }
}

/// Whether a right grants what was asked for. Connections have ARNs of their own.
fn covers(right: &Right, (family, action, resource): &Right) -> bool {
    let is_of = match right.2.strip_suffix('*') {
        Some(start) => resource.starts_with(start),
        None => right.2 == *resource,
    };
    is_of && (&right.0, &right.1) == (family, action)
}

/// The names of a right in records.
fn names(family: &Family, right: &Access) -> Vec<Right> {
    let of_resource = |(actions, resource): (Vec<String>, registry::Resource)| {
        let resource = roundtable::arn(family, resource);
        let name = move |action| (family.name.to_owned(), action, resource.clone());
        actions.into_iter().map(name).collect::<Vec<_>>()
    };
    match right {
        Access::AdminToken => vec![],
        right => registry::granted_by(right).into_iter().flat_map(of_resource).collect(),
    }
}

fn rewrite(family: &Family, rights: &[Access]) -> Result<(), String> {
    let name = format!("functions/{}/src/access.rs", family.name);
    let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    let fault = |error: std::io::Error| format!("{name}: {error}");
    let former = fs::read_to_string(&path).map_err(fault)?;
    fs::write(&path, registry::file(rights, &former)).map_err(fault)?;
    let formatted = Command::new("rustfmt").args(["--edition", "2024", &path]).status();
    if !formatted.map_err(|error| format!("rustfmt: {error}"))?.success() {
        return Err(format!("{name}: rustfmt failed"));
    }
    println!("{name} was written.");
    Ok(())
}

fn is_shared((of, end, _): &(&str, &str, &str), (_, action, resource): &Right) -> bool {
    of == action && resource.ends_with(end)
}

fn is_rare(
    (by, of, end, _): &(&str, &str, &str, &str),
    (family, action, resource): &Right,
) -> bool {
    (by, of) == (&family.as_str(), &action.as_str()) && resource.ends_with(end)
}

/// Why a right may be granted that no test uses.
fn reason(right: &Right) -> Option<&'static str> {
    let shared = SHARED.iter().find(|excuse| is_shared(excuse, right)).map(|(.., reason)| *reason);
    shared.or_else(|| RARE.iter().find(|excuse| is_rare(excuse, right)).map(|(.., reason)| *reason))
}
