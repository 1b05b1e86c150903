//! The settings of an app in development, such as `.env.local`: a file of its developer, in which
//! some lines are ours.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf, absolute},
    process::{Command, Stdio},
};

use super::files;

/// A file of settings, which git does not track.
pub struct EnvFile {
    path: PathBuf,
    is_ignored: bool,
}

impl EnvFile {
    /// The file at a path, which need not exist.
    ///
    /// # Errors
    /// A sentence: git tracks it, so that a key in it would go to others, or it is no file.
    pub fn find(path: &Path) -> Result<Self, String> {
        let path = absolute(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let shown = path.display();
        if git(&path, &["--literal-pathspecs", "ls-files", "--error-unmatch"]) == Some(true) {
            return Err(format!(
                "{shown} is tracked by git, and would have an API key: git rm --cached it, or name \
                 another file with --env-file"
            ));
        }
        match fs::symlink_metadata(&path) {
            Ok(found) if !found.is_file() => {
                Err(format!("{shown} is no regular file: name another one with --env-file"))
            }
            Err(e) if e.kind() != ErrorKind::NotFound => Err(format!("{shown}: {e}")),
            _ => {
                let is_ignored = git(&path, &["check-ignore", "--quiet"]) != Some(false);
                Ok(Self { path, is_ignored })
            }
        }
    }

    /// The whole path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether git adds it with everything else only when it is told to.
    pub fn is_ignored(&self) -> bool {
        self.is_ignored
    }

    /// Writes the values of these names, which need no quotes. The other lines stay, and only the
    /// owner may read the file.
    ///
    /// # Errors
    /// A sentence: it cannot be read or written.
    pub fn write(&self, settings: &[(&str, &str)]) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("{}: {e}", self.path.display());
        let found = match fs::read_to_string(&self.path) {
            Err(e) if e.kind() == ErrorKind::NotFound => String::new(),
            found => found.map_err(failed)?,
        };
        let text = merged(&found, settings);
        // Development servers begin anew when it changes.
        if text == found && is_private(&self.path).map_err(failed)? {
            return Ok(());
        }
        files::replace(&self.path, &text).map_err(failed)
    }
}

/// The text with these settings in place of lines that set them.
fn merged(text: &str, settings: &[(&str, &str)]) -> String {
    let mut left = settings.to_vec();
    let mut merged = String::new();
    for line in text.split_inclusive('\n') {
        let name = name_in(line).filter(|name| settings.iter().any(|(own, _)| own == name));
        let Some(name) = name else {
            merged.push_str(line);
            continue;
        };
        // A second line of the name would count in place of the first.
        if let Some(at) = left.iter().position(|(own, _)| *own == name) {
            merged.push_str(&line_of(left.remove(at)));
        }
    }
    if !merged.is_empty() && !merged.ends_with('\n') {
        merged.push('\n');
    }
    merged.extend(left.into_iter().map(line_of));
    merged
}

fn line_of((name, value): (&str, &str)) -> String {
    format!("{name}={value}\n")
}

/// The name that a line sets.
fn name_in(line: &str) -> Option<&str> {
    let (name, _) = line.split_once('=')?;
    let name = name.trim();
    Some(name.strip_prefix("export ").map_or(name, str::trim_start))
}

#[cfg(unix)]
fn is_private(file: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;

    Ok(fs::metadata(file)?.permissions().mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> std::io::Result<bool> {
    Ok(true)
}

/// The answer of git about a file; none without git or a repository.
fn git(file: &Path, question: &[&str]) -> Option<bool> {
    let (folder, name) = (file.parent()?, file.file_name()?);
    let mut git = Command::new("git");
    // A name that begins with a colon would be a pattern.
    git.arg("-C").arg(folder).args(question).arg("--").arg(Path::new(".").join(name));
    git.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match git.status().ok()?.code()? {
        0 => Some(true),
        1 => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf, process::Command};

    use super::{EnvFile, merged};

    const SETTINGS: [(&str, &str); 2] = [("ROUNDTABLE_URL", "http://h"), ("KEY", "k")];

    fn folder(name: &str) -> PathBuf {
        let name = format!("roundtable-env-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        folder
    }

    #[test]
    fn only_lines_of_these_names_are_replaced() {
        let ours = "ROUNDTABLE_URL=http://h\nKEY=k\n";
        assert_eq!(merged("", &SETTINGS), ours);
        assert_eq!(merged(ours, &SETTINGS), ours);
        assert_eq!(merged("A=1", &SETTINGS), format!("A=1\n{ours}"));
        let theirs = "# KEY=old\r\nMY_KEY=1\nKEY_2=2\n\nnothing\nA=KEY=3\n";
        assert_eq!(merged(theirs, &SETTINGS), format!("{theirs}{ours}"));
        let older = "KEY='x'\nA=1\n export  ROUNDTABLE_URL = y\r\nKEY=z\n";
        assert_eq!(merged(older, &SETTINGS), "KEY=k\nA=1\nROUNDTABLE_URL=http://h\n");
    }

    #[test]
    fn a_file_is_its_owners_and_is_left_alone_when_nothing_changes() {
        let folder = folder("write");
        let path = folder.join(".env.local");
        let file = EnvFile::find(&path).unwrap();
        fs::write(&path, "A=1\n").unwrap();
        file.write(&SETTINGS).unwrap();
        let text = "A=1\nROUNDTABLE_URL=http://h\nKEY=k\n";
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        let before = fs::metadata(&path).unwrap();
        file.write(&SETTINGS).unwrap();
        assert_eq!(before.modified().unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;

            let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(), 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            file.write(&SETTINGS).unwrap();
            assert_eq!(mode(), 0o600);
            let link = folder.join("link");
            std::os::unix::fs::symlink(&path, &link).unwrap();
            assert!(EnvFile::find(&link).is_err_and(|reason| reason.contains("no regular file")));
        }
        assert!(EnvFile::find(&folder).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_that_git_tracks_is_refused() {
        let folder = folder("git");
        let path = folder.join(".env.local");
        let git = |arguments: &[&str]| {
            let ran = Command::new("git").arg("-C").arg(&folder).args(arguments).output().unwrap();
            assert!(ran.status.success(), "{ran:?}");
        };
        git(&["init", "--quiet"]);
        assert!(!EnvFile::find(&path).unwrap().is_ignored());
        fs::write(folder.join(".gitignore"), ".env*\n").unwrap();
        assert!(EnvFile::find(&path).unwrap().is_ignored());
        fs::write(&path, "A=1\n").unwrap();
        git(&["add", "--force", ".env.local"]);
        assert!(EnvFile::find(&path).is_err_and(|reason| reason.contains("tracked by git")));
        assert_eq!(fs::read_to_string(&path).unwrap(), "A=1\n");
        fs::remove_dir_all(&folder).unwrap();
    }
}
