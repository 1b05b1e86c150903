//! Rules about source files beyond the compiler.

use crate::project::{Package, Project};

/// Maximum length of an endpoint's file, and of a shared crate's.
const ENDPOINT_LINES: usize = 150;
const SHARED_LINES: usize = 400;

/// First words of a comment that leave its reader to look for the noun in the code below.
const PRONOUNS: [&str; 11] =
    ["He", "His", "It", "Its", "That", "Their", "Them", "They", "Those", "What", "Whom"];

/// Functions that open a scope without credentials.
const OPENERS: &[&str] = &[".resume(", "Store::resume", ".system(", "Store::system"];
/// Attribute of a module of unit tests.
const TEST_MODULE: &str = "#[cfg(test)]";
/// Crates that may open these scopes.
const OPENED_BY: &str = "shared/service/";

/// One sentence for each violation.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for package in project.functions() {
        faults.extend(unlisted(project, package)?);
    }
    for package in &project.packages {
        faults.extend(untested(project, package)?);
    }
    for dir in ["shared", "functions", "server", "tools", "tests", "bench"] {
        for file in project.rust_files(dir)? {
            let text = project.read(&file)?;
            faults.extend(length(&file, text.lines().count()));
            faults.extend(opened(&file, &text));
            faults.extend(nameless(&file, &text));
        }
    }
    Ok(faults)
}

fn limit(file: &str) -> Option<usize> {
    match file.split_once('/') {
        Some(("functions", _)) => Some(ENDPOINT_LINES),
        Some(("shared", rest)) if rest.contains("/src/") => Some(SHARED_LINES),
        _ => None,
    }
}

fn length(file: &str, lines: usize) -> Option<String> {
    let limit = limit(file).filter(|limit| lines > *limit)?;
    Some(format!("{file}: has {lines} lines, {limit} are allowed"))
}

/// Calls that open a scope without credentials.
fn opened(file: &str, text: &str) -> Vec<String> {
    if file.starts_with(OPENED_BY) || file == "tools/xtask/src/check/sources.rs" {
        return vec![];
    }
    let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let found = code.filter_map(|(n, line)| {
        let opener = OPENERS.iter().find(|opener| line.contains(**opener))?;
        Some(format!("{file}:{}: {opener} is for {OPENED_BY} alone", n + 1))
    });
    found.collect()
}

/// The first word of a line that is a comment; an empty one has none.
fn comment(line: &str) -> Option<&str> {
    let words = line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!']);
    Some(words.split_whitespace().next().unwrap_or_default())
}

/// Comments that begin with a pronoun.
fn nameless(file: &str, text: &str) -> Vec<String> {
    let (mut faults, mut before) = (Vec::new(), None);
    for (n, line) in text.lines().enumerate() {
        let first = comment(line);
        let word = first.filter(|word| before.is_none() && PRONOUNS.contains(word));
        faults.extend(word.map(|word| {
            format!("{file}:{}: a comment begins with \"{word}\"; begin with the noun", n + 1)
        }));
        before = first;
    }
    faults
}

/// A library with tests that `cargo test` does not run, or one without tests that it links for
/// nothing.
fn untested(project: &Project, package: &Package) -> Result<Option<String>, String> {
    let Some(is_run) = package.tests_library else { return Ok(None) };
    let mut has_tests = false;
    for file in project.rust_files(&format!("{}/src", package.dir))? {
        has_tests |= project.read(&file)?.contains(TEST_MODULE);
    }
    let manifest = format!("{}/Cargo.toml", package.dir);
    Ok(match (has_tests, is_run) {
        (true, false) => Some(format!("{manifest}: its tests are not run; remove `test = false`")),
        (false, true) => {
            Some(format!("{manifest}: [lib] needs `test = false`, because it has no tests"))
        }
        _ => None,
    })
}

/// Files that are never compiled, because they are not listed.
fn unlisted(project: &Project, package: &Package) -> Result<Vec<String>, String> {
    let src = format!("{}/src", package.dir);
    let lib = project.read_if_there(&format!("{src}/lib.rs"))?.unwrap_or_default();
    let mut faults = Vec::new();
    for file in project.rust_files(&src)? {
        let name = file.strip_prefix(&format!("{src}/")).unwrap_or(&file);
        let listed = match name.strip_suffix(".rs").unwrap_or(name) {
            "lib" | "main" => true,
            bin if bin.starts_with("bin/") => {
                let path = format!("src/{name}");
                package.binaries.iter().any(|binary| binary.path == path)
            }
            module => {
                let module = module.split('/').next().unwrap_or(module);
                operation(&lib, module).is_some() || lib.contains(&format!("mod {module};"))
            }
        };
        if !listed {
            faults.push(format!("{file}: is listed nowhere, so it is not compiled"));
        }
    }
    Ok(faults)
}

/// The type that `lib.rs` lists for a module.
fn operation<'a>(lib: &'a str, module: &str) -> Option<&'a str> {
    lib.lines().find_map(|line| {
        let listed = line.trim().strip_prefix(module)?.strip_prefix("::")?;
        Some(listed.trim_end_matches(','))
    })
}

/// The fault of a binary's file: it has to serve the function it is named after.
pub(crate) fn wrong_entry(
    project: &Project,
    package: &Package,
    module: &str,
    path: &str,
) -> Result<Option<String>, String> {
    let file = format!("{}/{path}", package.dir);
    let lib = project.read(&format!("{}/src/lib.rs", package.dir))?;
    let Some(text) = project.read_if_there(&file)? else {
        return Ok(Some(format!("{file}: is missing")));
    };
    let served = operation(&lib, module)
        .map(|operation| format!("{}::{operation}", package.name.replace('-', "_")));
    let wrong = served.filter(|served| !text.contains(&format!("!({served});")));
    Ok(wrong.map(|served| format!("{file}: should serve `{served}`")))
}

#[cfg(test)]
mod tests {
    use super::{length, nameless, opened, operation};

    #[test]
    fn endpoints_and_shared_files_are_short() {
        assert_eq!(length("functions/folders/src/get.rs", 150), None);
        assert!(length("functions/folders/src/get.rs", 151).is_some());
        assert_eq!(length("shared/tenancy/src/scopes/db.rs", 400), None);
        assert!(length("shared/tenancy/src/scopes/db.rs", 401).is_some());
        assert_eq!(length("shared/store/tests/long.rs", 1000), None);
        assert_eq!(length("server/embedded/src/services.rs", 1000), None);
    }

    #[test]
    fn only_the_runtime_opens_a_scope_without_credentials() {
        let code = "fn f(store: &Store) {\n    store.resume(tenant).await;\n}\n";
        assert_eq!(opened("functions/x/src/y.rs", code).len(), 1);
        assert!(opened("shared/service/src/worker.rs", code).is_empty());
        assert!(opened("functions/x/src/y.rs", "// not .resume( here\n").is_empty());
        assert!(
            opened("shared/tenancy/src/scopes/admission.rs", "pub async fn resume(\n").is_empty()
        );
    }

    #[test]
    fn a_comment_begins_with_a_noun() {
        let faults = |text| nameless("a.rs", text).len();
        assert_eq!(faults("/// It is.\nfn f() {\n    // That of g.\n}\n//! What is\n"), 3);
        assert_eq!(faults("/// The key, which is long.\n/// It is escaped.\nItem\n"), 0);
        assert_eq!(faults("/// Items.\nlet it = 1; // It\n"), 0);
    }

    #[test]
    fn the_listed_type_of_a_module_is_found() {
        let lib =
            "service::operations! {\n    /// Adds.\n    add::AddFolders,\n    access_update::X\n}";
        assert_eq!(operation(lib, "add"), Some("AddFolders"));
        assert_eq!(operation(lib, "access_update"), Some("X"));
        assert_eq!(operation(lib, "update"), None);
    }
}
