//! Files with secrets or data of tenants: new ones are this process's alone, and secrets are read
//! only where nobody else could.

use std::{
    fs::{self, File},
    io::{self, Error, ErrorKind, Read},
    path::{Path, PathBuf},
};

/// The end of the names of what is not complete.
const PARTIAL: &str = ".partial";
/// Random bytes in such a name, and their letters.
const RANDOM: usize = 8;
const LETTERS: usize = 11;
/// Longest secret in bytes.
const MAX_SECRET: u64 = 1024 * 1024;

/// The name beside a path that nobody has foreseen: `NAME.RANDOM.partial`.
///
/// # Errors
/// The path has no name, or the system no randomness.
pub fn beside(path: &Path) -> io::Result<PathBuf> {
    let no_name = || Error::new(ErrorKind::InvalidInput, "the path does not end with a name");
    let mut name = path.file_name().ok_or_else(no_name)?.to_owned();
    let random = keyring::random_text::<RANDOM>().map_err(|e| Error::other(e.to_string()))?;
    name.push(format!(".{random}{PARTIAL}"));
    Ok(path.with_file_name(name))
}

/// The name whose incomplete form this is.
pub(crate) fn partial_of(name: &str) -> Option<&str> {
    let (of, random) = name.strip_suffix(PARTIAL)?.rsplit_once('.')?;
    (random.len() == LETTERS).then_some(of)
}

/// Creates a file that only its owner may read. One that is there, or a link, is left alone.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A file to lock, which may be there.
pub(crate) fn lockable(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options.open(path)
}

/// Creates a folder that only its owner may read, where there is none.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    folder_builder(true).create(path)
}

fn folder_builder(is_recursive: bool) -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(is_recursive);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// A new file that has its name when it is complete; without one, it is removed at the end.
pub(crate) struct NewFile {
    path: PathBuf,
    file: File,
}

impl NewFile {
    pub(crate) fn beside(target: &Path) -> io::Result<Self> {
        let path = beside(target)?;
        Ok(Self { file: create(&path)?, path })
    }

    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives it a name that nothing has: unlike a rename, this never replaces a file that has come
    /// meanwhile.
    pub(crate) fn link(self, target: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::hard_link(&self.path, target)
    }

    /// Gives it the name of a file of this process. A reader sees the old or the new file.
    pub(crate) fn replace(self, target: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, target)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes a file that only its owner may read, in the place of the one that is there.
pub(crate) fn replace(file: &Path, text: &str) -> io::Result<()> {
    let mut new = NewFile::beside(file)?;
    io::Write::write_all(new.file(), text.as_bytes())?;
    new.replace(file)
}

/// A new folder that only its owner may read; it is removed at the end, unless it was renamed.
pub(crate) struct Staged(PathBuf);

impl Staged {
    pub(crate) fn beside(target: &Path) -> Result<Self, String> {
        let failed = |e| format!("there can be no folder beside {}: {e}", target.display());
        let path = beside(target).map_err(failed)?;
        match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => {
                create_folder(parent).map_err(failed)?;
            }
            _ => {}
        }
        folder_builder(false).create(&path).map_err(failed)?;
        Ok(Self(path))
    }
}

impl std::ops::Deref for Staged {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Closes all files that the process creates to others, also those that libraries create.
pub fn create_for_owner_only() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// The secret in a file that nobody else can read or change.
///
/// # Errors
/// A sentence: it cannot be read, is no regular file, or others have a right on it.
pub fn read_secret(file: &Path) -> Result<String, String> {
    let unreadable = |e: Error| format!("{} cannot be read: {e}", file.display());
    // Before it is opened: a pipe would wait for its writer.
    if !fs::metadata(file).map_err(unreadable)?.is_file() {
        return Err(format!("{} has to be a regular file, as it has a secret", file.display()));
    }
    let opened = File::open(file).map_err(unreadable)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        let found = opened.metadata().map_err(unreadable)?;
        let own = rustix::process::geteuid().as_raw();
        if let Some(fault) = fault(file, found.mode(), found.uid(), own) {
            return Err(fault);
        }
    }
    let mut text = String::new();
    opened.take(MAX_SECRET).read_to_string(&mut text).map_err(unreadable)?;
    Ok(text.trim().to_owned())
}

/// Why a file with a secret of the user `own` is not private.
#[cfg(unix)]
fn fault(file: &Path, mode: u32, owner: u32, own: u32) -> Option<String> {
    let file = file.display();
    if owner != own && owner != 0 {
        return Some(format!(
            "{file} has a secret and belongs to another user: it has to be of the user of the \
             service, or of root"
        ));
    }
    // Credentials of systemd and secrets of Kubernetes are root's, and the group is how the service
    // gets them.
    let closed = if owner == 0 { 0o037 } else { 0o077 };
    let is_open = mode & closed != 0;
    is_open
        .then(|| format!("{file} has a secret, and others can read or change it: chmod 600 {file}"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        fs::{self, Permissions},
        io::{ErrorKind, Write},
        os::unix::fs::{PermissionsExt, symlink},
        path::{Path, PathBuf},
    };

    use super::{
        NewFile, Staged, beside, create, fault, lockable, partial_of, read_secret, replace,
    };

    struct Home(PathBuf);

    impl Home {
        fn new() -> Self {
            let name = keyring::random_text::<8>().unwrap();
            let home = std::env::temp_dir().join(format!("roundtable-files-{name}"));
            fs::create_dir_all(&home).unwrap();
            Self(home)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort_unstable();
            names
        }
    }

    impl Drop for Home {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn open_to_all(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
        fs::set_permissions(path, Permissions::from_mode(0o666)).unwrap();
    }

    #[test]
    fn a_new_file_is_private_and_touches_nothing_of_others() {
        let home = Home::new();
        let [other, link, target] = ["other", "link", "target"].map(|name| home.0.join(name));
        open_to_all(&other, "theirs");
        symlink(&other, &link).unwrap();
        for path in [&other, &link] {
            assert_eq!(create(path).unwrap_err().kind(), ErrorKind::AlreadyExists);
            let mut new = NewFile::beside(path).unwrap();
            new.file().write_all(b"secret").unwrap();
            assert_eq!(new.link(path).unwrap_err().kind(), ErrorKind::AlreadyExists);
        }
        assert!(lockable(&link).is_err(), "a link is not followed");
        assert_eq!(fs::read_to_string(&other).unwrap(), "theirs");
        assert_eq!(home.names(), ["link", "other"], "nothing is left");

        let mut new = NewFile::beside(&target).unwrap();
        new.file().write_all(b"secret").unwrap();
        new.link(&target).unwrap();
        assert_eq!((mode(&target), fs::read_to_string(&target).unwrap()), (0o600, "secret".into()));
        // In the place of a link, not through it.
        replace(&link, "ours").unwrap();
        assert_eq!((mode(&link), fs::read_to_string(&link).unwrap()), (0o600, "ours".into()));
        assert_eq!(fs::read_to_string(&other).unwrap(), "theirs");
        assert_eq!(home.names(), ["link", "other", "target"]);
    }

    #[test]
    fn a_folder_of_its_own_is_all_that_is_removed() {
        let home = Home::new();
        fs::create_dir(home.0.join("new.partial")).unwrap();
        let staged = Staged::beside(&home.0.join("new")).unwrap();
        assert_eq!(mode(&staged), 0o700);
        let name = staged.file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(partial_of(&name), Some("new"), "{name}");
        drop(staged);
        assert_eq!(home.names(), ["new.partial"]);
        assert_eq!(partial_of("new.partial"), None);
        assert_ne!(beside(&home.0).unwrap(), beside(&home.0).unwrap());
        assert_eq!(beside(&home.0.join("a/")).unwrap().parent(), Some(home.0.as_path()));
        assert!(beside(Path::new("..")).is_err());
    }

    #[test]
    fn a_secret_is_read_where_nobody_else_could() {
        let home = Home::new();
        let (file, link) = (home.0.join("secret"), home.0.join("link"));
        open_to_all(&file, " secret\n");
        symlink(&file, &link).unwrap();
        for mode in [0o666, 0o604, 0o602, 0o620] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            let reason = read_secret(&file).unwrap_err();
            assert!(reason.contains("chmod 600 ") && !reason.contains(" secret\n"), "{reason}");
            assert!(read_secret(&link).is_err(), "a link hides nothing");
        }
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(
            (read_secret(&file), read_secret(&link)),
            (Ok("secret".into()), Ok("secret".into()))
        );
        assert!(read_secret(&home.0).unwrap_err().contains("regular file"));
        assert!(read_secret(Path::new("/dev/null")).unwrap_err().contains("regular file"));
        assert!(read_secret(&home.0.join("none")).unwrap_err().contains("cannot be read"));
    }

    #[test]
    fn a_secret_belongs_to_the_service_or_to_root() {
        let fault = |mode: u32, owner, own| fault(Path::new("f"), 0o100_000 | mode, owner, own);
        assert_eq!(fault(0o600, 1000, 1000), None);
        assert_eq!(fault(0o400, 0, 1000), None);
        assert_eq!(fault(0o440, 0, 1000), None, "systemd and Kubernetes");
        assert!(fault(0o600, 1001, 1000).unwrap().contains("another user"));
        assert!(fault(0o600, 1001, 0).unwrap().contains("another user"));
        for (mode, owner) in [(0o640, 1000), (0o460, 0), (0o444, 0), (0o610, 1000)] {
            assert!(fault(mode, owner, 1000).unwrap().contains("chmod 600 f"), "{mode:o}");
        }
    }
}
