//! The list of what the binary is made of, in CycloneDX 1.5.

use serde_json::{Value, json};

use super::{calendar::iso, crates::Crate, release::Release};
use crate::licences::OURS;

/// The file in `dist`.
pub(super) const FILE: &str = "sbom.cdx.json";
/// Crates that contain a library in C, each with its file that has the version, the words before it,
/// its name, its supplier and its licence.
const BUNDLED: [(&str, &str, &str, [&str; 3]); 1] = [(
    "libsqlite3-sys",
    "sqlite3/sqlite3.h",
    "#define SQLITE_VERSION        \"",
    ["sqlite", "sqlite", "blessing"],
)];

/// The text of the file.
pub(super) fn render(release: &Release, crates: &[Crate]) -> Result<String, String> {
    let name = format!("pkg:generic/roundtable@{}", release.version);
    let mut components: Vec<Value> = crates.iter().map(component).collect();
    for (within, file, mark, about) in BUNDLED {
        let Some(it) = crates.iter().find(|it| it.name == within) else { continue };
        let file = it.dir.join(file);
        let text =
            std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let version = text.split_once(mark).and_then(|(_, rest)| rest.split_once('"'));
        let (version, _) = version.ok_or(format!("{}: has no version", file.display()))?;
        components.push(bundled(version, about));
    }
    let sbom = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": iso(release.time)?,
            "component": {
                "type": "application",
                "bom-ref": name,
                "name": "roundtable",
                "version": release.version,
                "licenses": [{ "expression": OURS }],
                "purl": name,
            },
        },
        "components": components,
    });
    Ok(format!("{sbom:#}\n"))
}

fn component(it: &Crate) -> Value {
    let purl = format!("pkg:cargo/{}@{}", it.name, it.version);
    let hashes = it.checksum.iter().map(|content| json!({ "alg": "SHA-256", "content": content }));
    json!({
        "type": "library",
        "bom-ref": purl,
        "name": it.name,
        "version": it.version,
        // Crates that only build the binary are not in it.
        "scope": if it.is_linked { "required" } else { "excluded" },
        "hashes": hashes.collect::<Vec<_>>(),
        "licenses": [{ "expression": it.license }],
        "purl": purl,
    })
}

fn bundled(version: &str, [name, supplier, license]: [&str; 3]) -> Value {
    let purl = format!("pkg:generic/{name}@{version}");
    json!({
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "scope": "required",
        "licenses": [{ "license": { "id": license } }],
        "cpe": format!("cpe:2.3:a:{supplier}:{name}:{version}:*:*:*:*:*:*:*"),
        "purl": purl,
    })
}
