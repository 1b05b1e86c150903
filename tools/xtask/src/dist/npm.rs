//! The packages for npm: a launcher, and the binary for one platform. npm installs the one that fits,
//! without a script.

use serde_json::{Value, json};

use super::{
    archive::{File, tar_gz},
    release::{Release, SUMMARY},
};
use crate::licences::OURS;

const NAME: &str = "roundtable-server";
const LAUNCHER: &str = include_str!("../../packages/launcher.js");
const README: &str = include_str!("../../packages/README.md");

/// The names and contents of both packages.
pub(super) fn pack(release: &Release) -> Result<[(String, Vec<u8>); 2], String> {
    let platform = format!("{NAME}-linux-x64");
    let launcher = manifest(
        release,
        NAME,
        &json!({
            "bin": { "roundtable": "bin/roundtable.js", NAME: "bin/roundtable.js" },
            "engines": { "node": ">=18" },
            "optionalDependencies": { platform.as_str(): release.version },
        }),
    );
    let binary = manifest(
        release,
        &platform,
        &json!({
            "os": ["linux"],
            "cpu": ["x64"],
            "preferUnplugged": true,
        }),
    );
    let launcher =
        [File::new("package.json", launcher), File::executable("bin/roundtable.js", LAUNCHER)];
    let binary = [
        File::new("package.json", binary),
        File::executable("bin/roundtable", release.binary.clone()),
    ];
    Ok([package(release, NAME, &launcher)?, package(release, &platform, &binary)?])
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

fn package(release: &Release, name: &str, files: &[File]) -> Result<(String, Vec<u8>), String> {
    let readme = File::new("README.md", README);
    let files = files.iter().chain([&readme]).chain(&release.documents);
    let files: Vec<File> = files.map(|file| file.below("package")).collect();
    Ok((format!("{name}-{}.tgz", release.version), tar_gz(&files, release.time)?))
}

#[cfg(test)]
mod tests {
    use flate2::read::GzDecoder;
    use serde_json::Value;

    use super::{Release, manifest, pack};
    use crate::dist::archive::unpacked;

    #[test]
    fn the_launcher_wants_exactly_its_platform_package() {
        let [(_, launcher), (name, platform)] = pack(&Release::sample()).unwrap();
        assert_eq!(name, "roundtable-server-linux-x64-1.2.3.tgz");
        let json = |package: &[u8]| -> Value {
            serde_json::from_slice(&unpacked(GzDecoder::new(package))["package/package.json"])
                .unwrap()
        };
        let (launcher, platform) = (json(&launcher), json(&platform));
        let wanted = &launcher["optionalDependencies"][platform["name"].as_str().unwrap()];
        assert_eq!((wanted, &platform["version"]), (&"1.2.3".into(), &"1.2.3".into()));
        for manifest in [launcher, platform] {
            assert_eq!(manifest.get("scripts"), None);
            assert_eq!(manifest.get("libc"), None);
        }
    }

    #[test]
    fn a_repository_is_named_once_there_is_one() {
        for (repository, is_named) in [("", false), ("https://example.com/r", true)] {
            let release = Release { repository, ..Release::sample() };
            assert_eq!(manifest(&release, "a", &Value::Null).contains("repository"), is_named);
        }
    }
}
