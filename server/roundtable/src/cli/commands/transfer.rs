//! `export` and `import`.

use std::{
    fs,
    path::{Path, PathBuf, absolute},
};

use roundtable::{Archive, AwsStack, DataDir, Setup, Sources, Stack, beside};
use service::Keyring;

use super::back_up;
use crate::options::{Export, Import, Step};

/// Instruction that makes functions read their keyring.
const RESTART: &str = "Let functions read them: \
    sam deploy --parameter-overrides SecretsRevision=$(date +%s)";

/// Instruction for data of an earlier version.
const REPAIR: &str = " They are of an earlier version, or of a stack: call \
    /v2/workspace/deletions/repair until next is null.";

/// Exports the data folder, or a stack; returns what to print.
pub(super) fn export(
    options: &Export,
    data: &Path,
    keyring: Option<String>,
) -> Result<String, String> {
    let passphrase = options.passphrase.read()?;
    let file = absolute(&options.file).map_err(|e| format!("{}: {e}", options.file.display()))?;
    if let Some(name) = options.stack() {
        let stack = AwsStack::named(name)?;
        let told = block_on(async {
            let keyring = match keyring {
                Some(keyring) => keyring,
                None => stack.keyring().await?,
            };
            roundtable::export_stack(&stack, name, &keyring, &passphrase, &file).await
        })?;
        return Ok(format!("{} has {told} of the stack {name}.", file.display()));
    }
    if file.exists() {
        return Err(format!("{} is there already", file.display()));
    }
    // A copy of one moment, which is drained instead of the data: these stay as they are.
    let copy = Copied::of(data, &file)?;
    let folder = DataDir::open(&copy.0)?;
    let keyring = keyring.map_or_else(|| folder.keyring(), Ok)?;
    let source = data.display().to_string();
    let told = block_on(async {
        let sources = open(&folder, &keyring).await?;
        roundtable::export_folder(sources, folder.path(), &source, &keyring, &passphrase, &file)
            .await
    })?;
    Ok(format!("{} has {told} of {source}.", file.display()))
}

/// Imports an archive into a new folder or an empty stack; returns what to print.
pub(super) fn import(options: &Import) -> Result<String, String> {
    let step = options.step()?;
    let archive = Archive::open(&options.file, &options.passphrase.read()?)?;
    match step {
        Step::Keys(name) => {
            let stack = AwsStack::named(name)?;
            block_on(stack.take_keys(archive.keyring()))?;
            Ok(format!("{} has the keys of the source. {RESTART}", stack.keyring_name()))
        }
        Step::KeysInto(file) => {
            archive.write_keyring(file)?;
            Ok(format!("{} has the keys of the source.", file.display()))
        }
        Step::Stack(name) => {
            let stack = AwsStack::named(name)?;
            let told = block_on(async {
                if stack.has_keys(archive.keyring()).await == Some(false) {
                    let secret = stack.keyring_name();
                    return Err(format!("{secret} lacks keys: import with --keys first"));
                }
                archive.import_into_stack(&stack).await
            })?;
            let hint = if archive.needs_repair() { REPAIR } else { "" };
            Ok(format!("The stack {name} has {told}.{hint}"))
        }
        Step::Folder(folder) => {
            // The name comes last, so that nobody serves half of the data.
            let partial = partial(folder, archive.keyring())?;
            let data = DataDir::open_private(&partial)?;
            data.write("keyring", archive.keyring())?;
            let told = block_on(async {
                let sources = open(&data, archive.keyring()).await?;
                archive.import_into_folder(sources, data.path()).await
            })?;
            drop(data);
            let failed = |e| format!("{} cannot be written: {e}", folder.display());
            let _ = fs::remove_dir(folder);
            fs::rename(&partial, folder).map_err(failed)?;
            Ok(format!("{} has {told}.", folder.display()))
        }
    }
}

/// Where a folder is made: beside it, if there is nothing in it. A repetition finds it again, and
/// touches no folder that an import of these keys has not made.
fn partial(folder: &Path, keyring: &str) -> Result<PathBuf, String> {
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(format!("{} is not empty", folder.display()));
    }
    let name = folder.file_name().ok_or_else(|| format!("{} has no name", folder.display()))?;
    let mut name = name.to_owned();
    name.push(".partial");
    let partial = folder.with_file_name(name);
    let is_new = fs::symlink_metadata(&partial).is_err();
    let is_ours = || fs::read_to_string(partial.join("keyring")).is_ok_and(|own| own == keyring);
    if is_new || is_ours() {
        return Ok(partial);
    }
    Err(format!("{} is of something else: remove it, or name another folder", partial.display()))
}

/// A copy of a data folder, removed at the end.
struct Copied(PathBuf);

impl Copied {
    fn of(data: &Path, file: &Path) -> Result<Self, String> {
        let unnamed = |e| format!("there can be no copy beside {}: {e}", file.display());
        // A running service, which may be of another user, writes the first.
        let backup = beside(file).map_err(unnamed)?;
        let copy = Self(beside(file).map_err(unnamed)?);
        back_up(data, &backup)?;
        let restored = roundtable::restore(&backup, &copy.0);
        let _ = fs::remove_file(&backup);
        restored.map(|()| copy)
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The streams and queues of the deployment in a folder, which serves nobody.
async fn open(folder: &DataDir, keyring: &str) -> Result<Sources, String> {
    let keyring = Keyring::parse(keyring).map_err(|e| format!("the keyring is damaged: {e}"))?;
    let setup = Setup::unserved(folder.path().to_owned(), keyring, registry::families());
    Ok(Stack::open(setup).await?.sources(Some(folder.path().join("streams"))))
}

fn block_on<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    runtime.block_on(work)
}
