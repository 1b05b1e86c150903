//! The list of what the binary is made of, in CycloneDX 1.5.

use serde_json::{Value, json};

use super::{crates::Crate, formats::calendar::iso};
use crate::licences::OURS;

/// Crates that contain a library in C, each with its file that has the version, the words before it,
/// its name, its supplier and its licence.
const BUNDLED: [(&str, &str, &str, [&str; 3]); 1] = [(
    "libsqlite3-sys",
    "sqlite3/sqlite3.h",
    "#define SQLITE_VERSION        \"",
    ["sqlite", "sqlite", "blessing"],
)];

/// The name and content of the file.
pub(super) fn pack(
    of: &str,
    (version, time): (&str, u64),
    crates: &[Crate],
) -> Result<(String, Vec<u8>), String> {
    let name = format!("pkg:generic/roundtable@{version}");
    let mut components: Vec<Value> = crates.iter().map(component).collect();
    for (within, file, mark, about) in BUNDLED {
        let Some(it) = crates.iter().find(|it| it.name == within) else { continue };
        let file = it.dir.join(file);
        let text =
            std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let found = text.split_once(mark).and_then(|(_, rest)| rest.split_once('"'));
        let (found, _) = found.ok_or(format!("{}: has no version", file.display()))?;
        components.push(bundled(found, about));
    }
    let sbom = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": iso(time)?,
            "component": {
                "type": "application",
                "bom-ref": name,
                "name": "roundtable",
                "version": version,
                "licenses": [{ "expression": OURS }],
                "purl": name,
            },
        },
        "components": components,
    });
    Ok((format!("sbom-{of}.cdx.json"), format!("{sbom:#}\n").into_bytes()))
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
