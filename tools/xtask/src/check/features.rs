//! Features of dependencies: `cargo test` reuses what `cargo run` has built only if both ask for the
//! same.

use std::collections::BTreeSet;

use crate::project::Project;

/// One sentence for each dependency that is built twice.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let run = crates(project, &["--package", "roundtable", "--edges", "normal,build"])?;
    let test = crates(project, &["--workspace", "--edges", "normal,build,dev"])?;
    Ok(twice(&run, &test))
}

fn twice(run: &BTreeSet<String>, test: &BTreeSet<String>) -> Vec<String> {
    let sentence = |built: &String| {
        format!(
            "{built}: `cargo test` builds it with other features than `cargo run`, and all that depends on it again"
        )
    };
    run.difference(test).map(sentence).collect()
}

/// The crates of a build, each with its version and features.
fn crates(project: &Project, which: &[&str]) -> Result<BTreeSet<String>, String> {
    let arguments = ["tree", "--locked", "--prefix", "none", "--format", "{p} {f}"];
    let text = project.cargo_output(&[&arguments[..], which].concat())?;
    // A crate that was listed before is marked.
    Ok(text.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::twice;

    #[test]
    fn a_crate_with_a_feature_for_tests_alone_is_named() {
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let run = lines(&["a v1 default", "b v2 tls"]);
        assert!(twice(&run, &lines(&["a v1 default", "b v2 tls", "c v3"])).is_empty());
        let faults = twice(&run, &lines(&["a v1 default", "b v2 ring,tls"]));
        assert!(faults.len() == 1 && faults[0].starts_with("b v2 tls:"), "{faults:?}");
    }
}
