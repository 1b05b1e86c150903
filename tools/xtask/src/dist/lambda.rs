//! Archives of functions with a template that names them, so that `sam deploy` needs no compiler.

use std::fs;

use super::{
    build,
    formats::archive::{File, tar_gz, zip},
};
use crate::{
    binaries::{self, BuildRequest, FOLDERS},
    project::Project,
    template,
};

/// Rust's name of the processor and the C library.
pub(super) const TARGET: &str = "aarch64-unknown-linux-gnu";
/// Name of the package, and of its list of crates.
pub(super) const NAME: &str = "lambda-arm64";
const ARCH: &str = "arm64";
/// The parameter of the template that a reader would choose the processor with.
const CHOICE: (&str, &str) = ("AllowedValues: [arm64, x86_64]", "AllowedValues: [arm64]");
const SETTINGS: &str = "samconfig.toml";

/// Builds all functions.
pub(super) fn build(project: &Project, time: u64) -> Result<(), String> {
    let order = BuildRequest {
        is_deployment: true,
        arch: Some(ARCH),
        is_endpoint: false,
        names: vec![],
        variables: build::variables(project, TARGET, &[], time)?,
    };
    binaries::build(project, &order)
}

/// The name and content of the package, of the functions that are built.
pub(super) fn pack(
    project: &Project,
    (version, time): (&str, u64),
    documents: &[File],
) -> Result<(String, Vec<u8>), String> {
    let mut served = Vec::new();
    let mut files = Vec::new();
    for package in project.functions() {
        let Some(archive) = &package.archive else { continue };
        let functions: Vec<&str> = package.binaries.iter().map(|it| it.name.as_str()).collect();
        let Some(binary) = shared(project, &functions)? else { continue };
        build::without_paths(project, &binary)?;
        let path = format!("functions/{archive}.zip");
        files.push(File::new(&path, zip(&[File::executable("bootstrap", binary)], time)?));
        served.extend(functions.into_iter().map(|name| (name.to_owned(), path.clone())));
    }
    let template = packed(&project.read(template::FILE)?, &served)?;
    files.push(File::new(template::FILE, template));
    files.push(File::new(SETTINGS, project.read(SETTINGS)?));
    let folder = format!("roundtable-{version}-{NAME}");
    let files: Vec<File> = files.iter().chain(documents).map(|it| it.below(&folder)).collect();
    Ok((format!("{folder}.tar.gz"), tar_gz(&files, time)?))
}

/// The one binary of functions.
fn shared(project: &Project, functions: &[&str]) -> Result<Option<Vec<u8>>, String> {
    let mut shared = None;
    for name in functions {
        let file = project.root.join(FOLDERS).join(name).join("bootstrap");
        let binary = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        if shared.get_or_insert_with(|| binary.clone()) != &binary {
            return Err(format!("{name} has another binary than its family: build it again"));
        }
    }
    Ok(shared)
}

/// The template with the paths of archives in the place of folders.
fn packed(template: &str, served: &[(String, String)]) -> Result<String, String> {
    let mut packed = template.replace(CHOICE.0, CHOICE.1);
    for (name, path) in served {
        let (from, to) = (format!("CodeUri: {FOLDERS}/{name}/\n"), format!("CodeUri: {path}\n"));
        packed = packed.replace(&from, &to);
    }
    let left = packed.lines().find(|line| line.contains(FOLDERS));
    match (left, packed.contains(CHOICE.1)) {
        (Some(line), _) => Err(format!("{}: no archive has {}", template::FILE, line.trim())),
        (None, false) => Err(format!("{}: has no {}", template::FILE, CHOICE.0)),
        (None, true) => Ok(packed),
    }
}

#[cfg(test)]
mod tests {
    use super::packed;

    #[test]
    fn each_function_names_the_archive_of_its_family() {
        let template = "AllowedValues: [arm64, x86_64]\nCodeUri: target/lambda/a-get/\nCodeUri: \
                        target/lambda/a-get-all/\n";
        let served = |names: &[&str]| {
            let path = |name: &&str| ((*name).to_owned(), "functions/a.zip".to_owned());
            names.iter().map(path).collect::<Vec<_>>()
        };
        let both = packed(template, &served(&["a-get", "a-get-all"])).unwrap();
        let wanted = "CodeUri: functions/a.zip\n";
        assert_eq!(both, format!("AllowedValues: [arm64]\n{wanted}{wanted}"));
        assert!(packed(template, &served(&["a-get"])).is_err(), "one is left");
        assert!(packed("CodeUri: target/lambda/a-get/\n", &served(&["a-get"])).is_err());
    }
}
