//! Rights of others on a data folder and on what is in it.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

/// Databases, with the files that SQLite has beside them.
const DATABASES: [&str; 2] = ["dynamodb.sqlite", "sqs.sqlite"];
/// Secrets, and folders with mails and positions.
const OURS: [&str; 6] =
    ["keyring", "admin-token", "aws-session-token", "env.json", "outbox", "streams"];

/// Closes an existing folder to other users, if it belongs to this service or is empty; otherwise
/// only warns.
pub(super) fn close_to_others(path: &Path) -> std::io::Result<()> {
    let mut permissions = fs::metadata(path)?.permissions();
    if permissions.mode() & 0o077 == 0 {
        return Ok(());
    }
    let is_ours = ["keyring", "format"].iter().any(|name| path.join(name).exists())
        || fs::read_dir(path)?.next().is_none();
    let what = match is_ours {
        true => "others could read it, and no longer can",
        false => "others can read it, and what is kept there",
    };
    eprintln!("roundtable: the data folder {}: {what}", path.display());
    if is_ours {
        permissions.set_mode(0o700);
        fs::set_permissions(path, permissions)?;
    }
    Ok(())
}

pub(super) fn is_open_to_others(path: &Path) -> std::io::Result<bool> {
    Ok(fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

/// Closes the files of a folder of ours, which earlier versions left to the umask: they may be
/// moved, or the folder opened.
pub(super) fn close_files(path: &Path) -> std::io::Result<()> {
    if is_open_to_others(path)? {
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| {
            OURS.contains(&name) || DATABASES.iter().any(|database| name.starts_with(database))
        });
        // The mode of the entry itself, also where it is a link.
        let found = entry.metadata()?;
        let closed = match found.file_type() {
            kind if kind.is_dir() => 0o700,
            kind if kind.is_file() => 0o600,
            _ => continue,
        };
        if is_ours && found.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(closed))?;
        }
    }
    Ok(())
}
