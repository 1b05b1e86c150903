//! The packages for npm: a launcher, and the binary for each platform. npm installs the one that fits,
//! without a script.

use serde_json::{Map, Value, json};

use super::{
    formats::archive::{File, tar_gz},
    platform::{PLATFORMS, Platform},
    release::{Release, SUMMARY},
};
use crate::licences::OURS;

const NAME: &str = "roundtable-server";
const LAUNCHER: &str = include_str!("../../packages/launcher.js");
const README: &str = include_str!("../../packages/README.md");

/// The name and content of the launcher, which has the same bytes whatever was built.
pub(super) fn launcher(release: &Release, licences: &[File]) -> Result<(String, Vec<u8>), String> {
    let platforms: Map<String, Value> =
        PLATFORMS.iter().map(|it| (name(it), release.version.as_str().into())).collect();
    let manifest = manifest(
        release,
        NAME,
        &json!({
            "bin": { "roundtable": "bin/roundtable.js", NAME: "bin/roundtable.js" },
            "engines": { "node": ">=18" },
            "optionalDependencies": platforms,
        }),
    );
    let files =
        [File::new("package.json", manifest), File::executable("bin/roundtable.js", LAUNCHER)];
    package(release, NAME, &files, licences)
}

/// The name and content of the package with the binary.
pub(super) fn pack(release: &Release) -> Result<(String, Vec<u8>), String> {
    let (name, (os, cpu)) = (name(release.platform), release.platform.name);
    let manifest = manifest(
        release,
        &name,
        &json!({
            "os": [os],
            "cpu": [cpu],
            "preferUnplugged": true,
        }),
    );
    let files = [
        File::new("package.json", manifest),
        File::executable("bin/roundtable", release.binary.clone()),
    ];
    package(release, &name, &files, &release.documents)
}

fn name(platform: &Platform) -> String {
    format!("{NAME}-{platform}")
}

fn manifest(release: &Release, name: &str, more: &Value) -> String {
    let mut manifest = json!({
        "name": name,
        "version": release.version,
        "description": SUMMARY,
        "license": OURS,
    });
    if let Some(members) = manifest.as_object_mut() {
        if !release.repository.is_empty() {
            members.insert("repository".to_owned(), release.repository.into());
        }
        members.extend(more.as_object().cloned().unwrap_or_default());
    }
    format!("{manifest:#}\n")
}

fn package(
    release: &Release,
    name: &str,
    files: &[File],
    documents: &[File],
) -> Result<(String, Vec<u8>), String> {
    let readme = File::new("README.md", README);
    let files = files.iter().chain([&readme]).chain(documents);
    let files: Vec<File> = files.map(|file| file.below("package")).collect();
    Ok((format!("{name}-{}.tgz", release.version), tar_gz(&files, release.time)?))
}

#[cfg(test)]
mod tests {
    use flate2::read::GzDecoder;
    use serde_json::Value;

    use super::{PLATFORMS, Release, launcher, manifest, pack};
    use crate::dist::formats::archive::unpacked;

    #[test]
    fn the_launcher_wants_exactly_the_packages_of_its_platforms() {
        let json = |package: &[u8]| -> Value {
            serde_json::from_slice(&unpacked(GzDecoder::new(package))["package/package.json"])
                .unwrap()
        };
        let (_, launcher) = launcher(&Release::sample(), &[]).unwrap();
        let launcher = json(&launcher);
        let wanted = &launcher["optionalDependencies"];
        assert_eq!(wanted.as_object().unwrap().len(), PLATFORMS.len());
        for platform in &PLATFORMS {
            let (file, package) = pack(&Release { platform, ..Release::sample() }).unwrap();
            assert_eq!(file, format!("roundtable-server-{platform}-1.2.3.tgz"));
            let manifest = json(&package);
            assert_eq!(wanted[manifest["name"].as_str().unwrap()], "1.2.3");
            assert_eq!(manifest["version"], "1.2.3");
            assert_eq!(manifest["cpu"][0], platform.name.1);
            assert_eq!((manifest.get("scripts"), manifest.get("libc")), (None, None));
        }
        assert_eq!(launcher.get("scripts"), None);
    }

    #[test]
    fn a_repository_is_named_once_there_is_one() {
        for (repository, is_named) in [("", false), ("https://example.com/r", true)] {
            let release = Release { repository, ..Release::sample() };
            assert_eq!(manifest(&release, "a", &Value::Null).contains("repository"), is_named);
        }
    }
}
