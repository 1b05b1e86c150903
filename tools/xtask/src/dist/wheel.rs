//! The wheel for PyPI: the binary as a script, on Linux for both C libraries, because it needs neither.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{
    formats::{
        archive::{File, zip},
        digest::sha256,
    },
    release::{Release, SUMMARY},
};
use crate::licences::OURS;

const NAME: &str = "roundtable_server";
/// `pipx run roundtable-server` looks for a script with the name of the package.
const ALIAS: &str = include_str!("../../packages/launcher.sh");
const README: &str = include_str!("../../packages/README.md");

/// The name and content of the package.
pub(super) fn pack(release: &Release) -> Result<(String, Vec<u8>), String> {
    let version = &release.version;
    let (info, scripts) =
        (format!("{NAME}-{version}.dist-info"), format!("{NAME}-{version}.data/scripts"));
    let tags = release.platform.wheels;
    let lines: String = tags.iter().map(|tag| format!("Tag: py3-none-{tag}\n")).collect();
    let wheel =
        format!("Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\n{lines}");
    let mut files = vec![
        File::executable("roundtable", release.binary.clone()).below(&scripts),
        File::executable("roundtable-server", ALIAS).below(&scripts),
        File::new("METADATA", metadata(release)).below(&info),
        File::new("WHEEL", wheel).below(&info),
    ];
    files.extend(release.documents.iter().map(|it| it.below(&format!("{info}/licenses"))));
    let path = format!("{info}/RECORD");
    let record = record(&files, &path);
    files.push(File::new(&path, record));
    let name = format!("{NAME}-{version}-py3-none-{}.whl", tags.join("."));
    Ok((name, zip(&files, release.time)?))
}

fn metadata(release: &Release) -> String {
    let licences = release.documents.iter().map(|it| format!("License-File: {}\n", it.path));
    let repository = match release.repository {
        "" => String::new(),
        url => format!("Project-URL: Repository, {url}\n"),
    };
    format!(
        "Metadata-Version: 2.4\nName: roundtable-server\nVersion: {}\nSummary: {SUMMARY}\n\
         License-Expression: {OURS}\n{}{repository}Requires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\n{README}",
        release.version,
        licences.collect::<String>()
    )
}

/// The list of the files with their digests; its own line has none.
fn record(files: &[File], own: &str) -> String {
    let line = |file: &File| {
        let digest = URL_SAFE_NO_PAD.encode(sha256(&file.content));
        format!("{},sha256={digest},{}\n", file.path, file.content.len())
    };
    files.iter().map(line).collect::<String>() + own + ",,\n"
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::{File, Release, pack, record};

    #[test]
    fn the_record_has_each_file_with_its_digest() {
        let record = record(&[File::new("a/b", "")], "a/RECORD");
        let empty = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
        assert_eq!(record, format!("a/b,sha256={empty},0\na/RECORD,,\n"));
    }

    #[test]
    fn names_and_tags_are_those_of_both_c_libraries() {
        let (name, content) = pack(&Release::sample()).unwrap();
        let platforms = "manylinux_2_12_x86_64.musllinux_1_1_x86_64";
        assert_eq!(name, format!("roundtable_server-1.2.3-py3-none-{platforms}.whl"));
        let mut archive = zip::ZipArchive::new(Cursor::new(content)).unwrap();
        let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
        let mut text = |name: &str| {
            let mut text = String::new();
            archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        let record = text("roundtable_server-1.2.3.dist-info/RECORD");
        for name in &names {
            assert!(record.contains(&format!("{name},")), "{name}");
        }
        assert_eq!(record.lines().count(), names.len());
        let wheel = text("roundtable_server-1.2.3.dist-info/WHEEL");
        assert_eq!(wheel.matches("Tag: py3-none-").count(), 2);
        let metadata = text("roundtable_server-1.2.3.dist-info/METADATA");
        assert!(metadata.contains("\nVersion: 1.2.3\n"));
    }
}
