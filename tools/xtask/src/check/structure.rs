//! The structure of the code: circles of files and of folders, files beside each other, the names of
//! subjects, and the prelude of functions.

mod folders;
mod graph;
mod prelude;
mod source;
mod subjects;

use std::collections::BTreeMap;

use graph::Graph;

/// Parts of a crate that need each other, a list for each circle.
type Circles = Vec<Vec<String>>;

use crate::project::{Package, Project};

/// Most files in a circle.
const CIRCLE: usize = 3;

/// A crate, or a program of several files beside it, with its largest circle.
struct Circle {
    dir: String,
    files: Vec<String>,
}

/// One sentence for each fault.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let mut faults: Vec<String> = circles(project)?.iter().filter_map(wrong).collect();
    faults.extend(folders::circles(&folder_circles(project)?));
    faults.extend(folders::beside(&beside(project)?));
    faults.extend(subjects::faults(project)?);
    faults.extend(prelude::faults(project)?);
    Ok(faults)
}

fn wrong(Circle { dir, files }: &Circle) -> Option<String> {
    let (size, names) = (files.len(), files.join(", "));
    let is_wrong = size > CIRCLE;
    is_wrong.then(|| format!("{dir}: {size} files need each other, {CIRCLE} are allowed: {names}"))
}

fn circles(project: &Project) -> Result<Vec<Circle>, String> {
    let mut circles = Vec::new();
    for package in &project.packages {
        for (root, folder) in roots(project, package) {
            let graph = graph(project, package, &root, &folder)?;
            let name =
                |file: &str| file.strip_prefix(&format!("{folder}/")).unwrap_or(file).to_owned();
            let files = graph.circle().into_iter().map(name).collect();
            let dir = folder.strip_suffix("/src").unwrap_or(&folder).to_owned();
            circles.push(Circle { dir, files });
        }
    }
    Ok(circles)
}

/// The files of a crate, without those of programs beside it.
fn graph(project: &Project, package: &Package, root: &str, folder: &str) -> Result<Graph, String> {
    let mut files = files(project, root, folder)?;
    for (_, other) in roots(project, package) {
        if other.starts_with(&format!("{folder}/")) {
            files.retain(|(file, ..)| !file.starts_with(&format!("{other}/")));
        }
    }
    Graph::read(files)
}

/// The circles of folders of each crate or program that has one.
fn folder_circles(project: &Project) -> Result<Vec<(String, Circles)>, String> {
    let mut all = Vec::new();
    for package in &project.packages {
        for (root, folder) in roots(project, package) {
            let circles = graph(project, package, &root, &folder)?.folder_circles();
            all.push((folder.strip_suffix("/src").unwrap_or(&folder).to_owned(), circles));
        }
    }
    Ok(all)
}

/// How many Rust files lie beside each other in each folder of code.
fn beside(project: &Project) -> Result<Vec<(String, usize)>, String> {
    let mut counts = BTreeMap::<String, usize>::new();
    for package in &project.packages {
        for file in project.rust_files(&format!("{}/src", package.dir))? {
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            *counts.entry(folder.to_owned()).or_default() += 1;
        }
    }
    Ok(counts.into_iter().collect())
}

/// The roots of a package that may have modules, each with the folder of these.
fn roots(project: &Project, package: &Package) -> Vec<(String, String)> {
    let src = format!("{}/src", package.dir);
    let own = ["lib.rs", "main.rs"].map(|name| format!("{src}/{name}"));
    let own = own.into_iter().find(|root| project.has(root)).map(|root| (root, src));
    let programs = package.binaries.iter().filter_map(|binary| {
        let folder = binary.path.strip_suffix("/main.rs").filter(|folder| *folder != "src")?;
        Some((format!("{}/{}", package.dir, binary.path), format!("{}/{folder}", package.dir)))
    });
    own.into_iter().chain(programs).collect()
}

/// The files below a root, each with the path of its module and its text.
fn files(
    project: &Project,
    root: &str,
    folder: &str,
) -> Result<Vec<(String, Vec<String>, String)>, String> {
    let mut files = Vec::new();
    for file in project.rust_files(folder)? {
        let module = file.strip_prefix(&format!("{folder}/")).unwrap_or(&file);
        let module = module.strip_suffix(".rs").unwrap_or(module);
        if file != root && (module == "main" || module.starts_with("bin/")) {
            continue;
        }
        let module = match file == root {
            true => vec![],
            false => module.split('/').map(str::to_owned).collect(),
        };
        files.push((file.clone(), module, project.read(&file)?));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{Circle, wrong};

    #[test]
    fn a_circle_of_four_files_is_refused_and_one_of_three_is_not() {
        let fault = |size| {
            let files = (0..size).map(|n| format!("{n}.rs")).collect();
            wrong(&Circle { dir: "shared/x".to_owned(), files })
        };
        assert_eq!(fault(3), None);
        assert!(fault(4).is_some_and(|it| it.ends_with("0.rs, 1.rs, 2.rs, 3.rs")));
    }
}
