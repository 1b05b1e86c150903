//! The image: an OCI layout and an archive of `docker save` in one, made without a daemon or a base.

mod roots;

use serde_json::{Value, json};

use super::{
    formats::{
        archive::{File, Tar, gzip},
        calendar::iso,
        digest::hex,
    },
    release::{Release, SUMMARY},
};
use crate::licences::OURS;

/// The user of the process, as in images of distroless.
const USER: u64 = 65532;
const BINARY: &str = "usr/local/bin/roundtable";
const SECOND: u64 = 1_000_000_000;

/// The name and content of the package, where containers have the platform.
pub(super) fn pack(release: &Release) -> Result<Option<(String, Vec<u8>)>, String> {
    let Some((architecture, ending)) = release.platform.image else { return Ok(None) };
    let layer = layer(release)?;
    let zipped = gzip(&layer)?;
    let created = iso(release.time)?;
    let config = text(&config(release, architecture, &created, &hex(&layer)));
    let manifest = text(&json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": descriptor("application/vnd.oci.image.config.v1+json", &config),
        "layers": [descriptor("application/vnd.oci.image.layer.v1.tar+gzip", &zipped)],
    }));
    let tag = format!("roundtable:{}", release.version);
    let mut described = descriptor("application/vnd.oci.image.manifest.v1+json", &manifest);
    described["annotations"] = json!({
        "io.containerd.image.name": format!("docker.io/library/{tag}"),
        "org.opencontainers.image.ref.name": release.version,
    });
    described["platform"] = json!({ "architecture": architecture, "os": "linux" });
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [described],
    });
    let docker = json!([{
        "Config": blob(&config),
        "RepoTags": [tag],
        "Layers": [blob(&zipped)],
    }]);

    let mut tar = Tar::new(release.time);
    for folder in ["blobs", "blobs/sha256"] {
        tar.folder(folder, 0o755, 0)?;
    }
    for content in [&config, &manifest, &zipped] {
        tar.file(&File::new(&blob(content), content.as_slice()))?;
    }
    tar.file(&File::new("index.json", text(&index)))?;
    tar.file(&File::new("manifest.json", text(&docker)))?;
    tar.file(&File::new("oci-layout", text(&json!({ "imageLayoutVersion": "1.0.0" }))))?;
    Ok(Some((format!("roundtable-{}-image{ending}.tar", release.version), tar.finish()?)))
}

/// The files of a container: the binary, and what it takes from a system.
fn layer(release: &Release) -> Result<Vec<u8>, String> {
    let mut tar = Tar::new(release.time);
    let name = "roundtable";
    let user =
        |shell: &str| format!("root:x:0:0::/:{shell}\n{name}:x:{USER}:{USER}::/data:{shell}\n");
    tar.folder("data", 0o700, USER)?;
    for folder in ["etc", "etc/ssl", "etc/ssl/certs"] {
        tar.folder(folder, 0o755, 0)?;
    }
    tar.file(&File::new("etc/group", format!("root:x:0:\n{name}:x:{USER}:\n")))?;
    tar.file(&File::new("etc/passwd", user("/sbin/nologin")))?;
    tar.file(&File::new("etc/ssl/certs/ca-certificates.crt", roots::pem()))?;
    tar.folder("tmp", 0o1777, 0)?;
    let documents = format!("usr/share/doc/{name}");
    for folder in ["usr", "usr/local", "usr/local/bin", "usr/share", "usr/share/doc", &documents] {
        tar.folder(folder, 0o755, 0)?;
    }
    tar.file(&File::executable(BINARY, release.binary.clone()))?;
    for document in &release.documents {
        tar.file(&document.below(&documents))?;
    }
    tar.finish()
}

fn config(release: &Release, architecture: &str, created: &str, layer: &str) -> Value {
    let binary = format!("/{BINARY}");
    json!({
        "architecture": architecture,
        "os": "linux",
        "created": created,
        "config": {
            "User": format!("{USER}:{USER}"),
            "Env": ["PATH=/usr/local/bin", "HOST=0.0.0.0", "DATA_DIR=/data"],
            "Entrypoint": [binary],
            "ExposedPorts": { "3000/tcp": {} },
            "Volumes": { "/data": {} },
            "WorkingDir": "/",
            "StopSignal": "SIGTERM",
            "Healthcheck": {
                "Test": ["CMD", binary, "health"],
                "Interval": 30 * SECOND,
                "Timeout": 10 * SECOND,
                "StartPeriod": 10 * SECOND,
            },
            "Labels": {
                "org.opencontainers.image.title": "roundtable",
                "org.opencontainers.image.description": SUMMARY,
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.licenses": OURS,
                "org.opencontainers.image.source": release.repository,
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
        "history": [{ "created": created, "created_by": "cargo xtask dist" }],
    })
}

fn descriptor(kind: &str, content: &[u8]) -> Value {
    let digest = format!("sha256:{}", hex(content));
    json!({ "mediaType": kind, "digest": digest, "size": content.len() })
}

fn blob(content: &[u8]) -> String {
    format!("blobs/sha256/{}", hex(content))
}

fn text(json: &Value) -> Vec<u8> {
    json.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use flate2::read::GzDecoder;
    use serde_json::Value;

    use super::{Release, hex, pack};
    use crate::dist::{formats::archive::unpacked, platform::PLATFORMS};

    #[test]
    fn an_image_has_its_processor_in_its_name_unless_it_is_the_first() {
        let name = |platform| {
            let release = Release { platform, ..Release::sample() };
            pack(&release).unwrap().map(|(name, _)| name)
        };
        assert_eq!(name(&PLATFORMS[0]).unwrap(), "roundtable-1.2.3-image.tar");
        assert_eq!(name(&PLATFORMS[1]).unwrap(), "roundtable-1.2.3-image-arm64.tar");
        assert_eq!(name(&PLATFORMS[2]), None);
    }

    /// Follows each digest as a container engine does.
    #[test]
    fn each_blob_has_the_digest_under_which_others_name_it() {
        let (_, image) = pack(&Release::sample()).unwrap().unwrap();
        let files = unpacked(image.as_slice());
        let json = |name: &str| -> Value { serde_json::from_slice(&files[name]).unwrap() };
        let blob = |descriptor: &Value| {
            let digest = descriptor["digest"].as_str().unwrap().strip_prefix("sha256:").unwrap();
            let name = format!("blobs/sha256/{digest}");
            assert_eq!(hex(&files[&name]), digest);
            assert_eq!(descriptor["size"], files[&name].len());
            name
        };
        let manifest = json(&blob(&json("index.json")["manifests"][0]));
        let (config, layer) = (blob(&manifest["config"]), blob(&manifest["layers"][0]));
        let docker = json("manifest.json");
        assert_eq!(docker[0]["Config"], config);
        assert_eq!(docker[0]["Layers"][0], layer);
        let mut content = Vec::new();
        std::io::copy(&mut GzDecoder::new(files[&layer].as_slice()), &mut content).unwrap();
        assert_eq!(json(&config)["rootfs"]["diff_ids"][0], format!("sha256:{}", hex(&content)));

        let root = unpacked(content.as_slice());
        let program = json(&config)["config"]["Entrypoint"][0].as_str().unwrap()[1..].to_owned();
        assert_eq!(root[&program], Release::sample().binary);
        assert!(!root["etc/ssl/certs/ca-certificates.crt"].is_empty());
    }
}
