//! THIRD-PARTY.txt: the notices that the licences of others ask for.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use super::crates::Crate;
use crate::project::Project;

/// Notices of parts that are no crates; the mark stands for those of the platform.
const OTHERS: (&str, &str) = (include_str!("../../packages/notices.txt"), "{libraries}\n");
const MUSL: &str = "The C library musl\n  Copyright (c) 2005-2020 Rich Felker, et al.\n";
const ZIG: &str = "The run-time library of Zig\n  Copyright (c) Zig contributors\n";
/// Notices of the parts of the demo.
const DEMO: &str = "server/roundtable/demo/licenses.txt";
/// How names of files with notices begin.
const NOTICES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
const RULE: &str =
    "\n--------------------------------------------------------------------------------\n";

/// The text of the file.
pub(super) fn render(
    project: &Project,
    (target, is_by_zig): (&str, bool),
    crates: &[Crate],
) -> Result<String, String> {
    let mut packages = BTreeMap::<String, Vec<&Crate>>::new();
    for it in crates.iter().filter(|it| it.is_linked) {
        for text in texts(project, it)? {
            packages.entry(text).or_default().push(it);
        }
    }
    // By the first crate of each text.
    let mut sections: Vec<(String, String)> = packages.into_iter().map(section).collect();
    sections.sort();
    let musl = if target.ends_with("musl") { MUSL } else { "" };
    let zig = if is_by_zig { ZIG } else { "" };
    let others = OTHERS.0.replace(OTHERS.1, &[musl, zig].concat());
    let mut all = format!("{others}{RULE}{}", project.read(DEMO)?);
    for (head, text) in sections {
        let _ = write!(all, "{RULE}{head}\n\n{text}\n");
    }
    Ok(all)
}

fn section((text, crates): (String, Vec<&Crate>)) -> (String, String) {
    let name = |it: &&Crate| format!("{} {} ({})", it.name, it.version, it.license);
    (crates.iter().map(name).collect::<Vec<_>>().join("\n"), text)
}

/// The texts of the licences under which we use a crate.
fn texts(project: &Project, it: &Crate) -> Result<Vec<String>, String> {
    let files = collect(&it.dir).map_err(|e| format!("{}: {e}", it.dir.display()))?;
    // Of alternatives, the shortest one.
    if it.license.split(" OR ").any(|alternative| alternative == "MIT")
        && let Some((_, text)) = files.iter().find(|(name, _)| name.contains("MIT"))
    {
        return Ok(vec![text.clone()]);
    }
    if !files.is_empty() {
        return Ok(files.into_iter().map(|(_, text)| text).collect());
    }
    let standard = match it.license.contains("MIT") {
        true => project.read("LICENSE-MIT")?.split_once("\n\n").map(|(_, text)| text.to_owned()),
        false => Some(project.read("LICENSE-APACHE")?),
    };
    let authors = match it.authors.as_slice() {
        [] => format!("the {} authors", it.name),
        authors => authors.join(", "),
    };
    Ok(vec![format!("Copyright (c) {authors}\n\n{}", standard.unwrap_or_default().trim())])
}

/// The names, in capitals, and texts of the notices in a folder.
fn collect(dir: &Path) -> std::io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for path in paths(dir)? {
        let is_notice = NOTICES.iter().any(|notice| capitals(&path).starts_with(notice));
        match path.is_dir() {
            true if is_notice => files.extend(paths(&path)?),
            false if is_notice => files.push(path),
            _ => {}
        }
    }
    let text = |path: PathBuf| {
        let text = fs::read(&path)?;
        let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
        Ok((capitals(&path), text.trim().to_owned()))
    };
    files.into_iter().map(text).collect()
}

/// Paths in a folder, by name.
fn paths(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(dir)?.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<std::io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

fn capitals(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_uppercase()
}
