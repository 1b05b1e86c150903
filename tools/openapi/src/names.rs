//! Names in the document.

use registry::pascal;
use service::Spec;

/// `foldersUpdate`; `foldersUpdateV1` at an older path, `foldersUpdateAlias` at another one of the
/// same version.
pub(crate) fn operation_id(spec: &Spec, path: &str) -> String {
    let version = |path: &str| path.split('/').nth(1).unwrap_or_default().to_owned();
    let (name, newest) = (camel(spec.name), spec.paths[0]);
    match version(path) {
        _ if path == newest => name,
        same if same == version(newest) => format!("{name}Alias"),
        older => format!("{name}{}", older.to_ascii_uppercase()),
    }
}

/// `webhookEndpoints` of `webhook-endpoints`.
pub(crate) fn camel(words: &str) -> String {
    let name = pascal(words);
    name[..1].to_ascii_lowercase() + &name[1..]
}
