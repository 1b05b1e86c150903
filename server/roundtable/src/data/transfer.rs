//! All data of a deployment in one file, from a data folder or a stack in AWS to another.

mod archive;
mod digest;
mod keys;
mod place;
mod progress;
mod queues;
mod rules;
mod tables;
#[cfg(test)]
mod tests;

use std::{cell::RefCell, path::Path};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;
use service::{Clock, Table};

use super::{
    data_dir,
    files::{NewFile, Staged},
};
use crate::host::Sources;
use archive::{Manifest, Writing};
use digest::Digest;
use place::Stack;
use progress::Progress;

/// Tables in the order of an import: pending work last, because a timer may already look at it, and
/// then the queues.
const ORDER: [Table; 5] =
    [Table::Resources, Table::Crdt, Table::Events, Table::Realtime, Table::Schedule];
/// Queues that are read at a time.
const QUEUES_AT_ONCE: usize = 6;

/// Names of members in the lines of an archive; that of items is AWS's own.
const ITEM: &str = "Item";
const MESSAGE: &str = "Message";

fn table_part(table: Table) -> String {
    format!("tables/{}.jsonl.gz", table.name())
}

fn queue_part(name: &str) -> String {
    format!("queues/{name}.jsonl.gz")
}

/// A stack in the account that the environment names.
pub struct AwsStack(Stack);

impl AwsStack {
    /// The stack of that name.
    ///
    /// # Errors
    /// A sentence: a variable with credentials is missing, or the name is that of no stack.
    pub fn named(name: &str) -> Result<Self, String> {
        Stack::aws(name).map(Self)
    }

    /// The keyring of the stack, out of its secret.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn keyring(&self) -> Result<String, String> {
        self.0.keyring().await
    }

    /// Gives it these keys besides its own. Functions read them when they start.
    ///
    /// # Errors
    /// A sentence: its secret cannot be read or written, or a keyring is damaged.
    pub async fn take_keys(&self, keyring: &str) -> Result<(), String> {
        let own = self.0.keyring().await?;
        let all = keys::joined(&own, keyring)?;
        if keys::has_all(&own, keyring) { Ok(()) } else { self.0.set_keyring(&all).await }
    }

    /// Whether its keyring has these keys; none if it cannot be read.
    pub async fn has_keys(&self, keyring: &str) -> Option<bool> {
        let own = self.0.keyring().await.ok()?;
        Some(keys::has_all(&own, keyring))
    }

    /// The name of that secret.
    pub fn keyring_name(&self) -> String {
        self.0.keyring_name()
    }
}

/// Exports the data of a folder that nobody else uses, whose streams `sources` reads. Their events are
/// passed on first; no message is worked on.
///
/// # Errors
/// A sentence: something cannot be read or written, or the file is there already.
pub async fn export_folder(
    mut sources: Sources,
    folder: &Path,
    source: &str,
    keyring: &str,
    passphrase: &str,
    file: &Path,
) -> Result<String, String> {
    sources.drain_events().await?;
    let embedded = sources.embedded();
    let now = Clock::default().now();
    let of_queue = async |name: String| {
        let messages = queues::stored(embedded, &name, now as i64)?;
        Ok((name, messages))
    };
    let from = From { data: data_dir::format_of(folder)?, source, at: now };
    export(&Stack::embedded(embedded), of_queue, from, keyring, passphrase, file).await
}

/// Exports the data of a stack that nobody uses meanwhile. They stay there.
///
/// # Errors
/// A sentence: a call failed, messages are in flight, or the file cannot be written.
pub async fn export_stack(
    stack: &AwsStack,
    source: &str,
    keyring: &str,
    passphrase: &str,
    file: &Path,
) -> Result<String, String> {
    let now = Clock::default().now();
    let of_queue = async |name: String| {
        let messages = queues::received(&stack.0, &name, now as i64).await?;
        Ok((name, messages))
    };
    // Nothing in a stack says whether its deletions were repaired; to repeat that changes nothing.
    let from = From { data: 1, source, at: now };
    export(&stack.0, of_queue, from, keyring, passphrase, file).await
}

/// The origin of the data in an archive.
struct From<'a> {
    data: u32,
    source: &'a str,
    at: u64,
}

async fn export(
    place: &Stack,
    of_queue: impl AsyncFn(String) -> Result<(String, Vec<Value>), String>,
    from: From<'_>,
    keyring: &str,
    passphrase: &str,
    file: &Path,
) -> Result<String, String> {
    if file.exists() {
        return Err(format!("{} is there already", file.display()));
    }
    let failed = |e: std::io::Error| format!("{} cannot be written: {e}", file.display());
    let staged = Staged::beside(file)?;
    let mut writing = Writing::new(&staged);
    // First, because messages in flight end an export.
    let queues = stream::iter(queues::names()).map(|name| of_queue(name)).buffered(QUEUES_AT_ONCE);
    let queues: Vec<(String, Vec<Value>)> = queues.try_collect().await?;
    for (name, messages) in queues {
        let mut lines = writing.begin(queue_part(&name)).map_err(failed)?;
        messages.into_iter().try_for_each(|it| lines.add(MESSAGE, it)).map_err(failed)?;
        writing.end(lines).map_err(failed)?;
    }
    for table in ORDER {
        let lines = RefCell::new(writing.begin(table_part(table)).map_err(failed)?);
        let add = |item: Value| lines.borrow_mut().add(ITEM, item).map_err(failed);
        tables::read(place, table, add).await?;
        writing.end(lines.into_inner()).map_err(failed)?;
    }
    let mut packed = NewFile::beside(file).map_err(failed)?;
    let manifest = writing.pack(packed.file(), &from, keyring, passphrase).map_err(failed)?;
    packed.link(file).map_err(failed)?;
    Ok(told(&manifest))
}

/// A summary of an archive, for people.
fn told(manifest: &Manifest) -> String {
    let count = |folder: &str| -> u64 {
        let parts = manifest.parts().filter(|(name, _)| name.starts_with(folder));
        parts.map(|(_, part)| part.count).sum()
    };
    format!("{} items and {} messages", count("tables/"), count("queues/"))
}

/// An unpacked archive.
pub struct Archive {
    folder: Staged,
    manifest: Manifest,
    keyring: String,
}

impl Archive {
    /// Unpacks an archive beside it, if it is what was written under that passphrase.
    ///
    /// # Errors
    /// A sentence: it is damaged or altered, or the passphrase is another.
    pub fn open(file: &Path, passphrase: &str) -> Result<Self, String> {
        let failed = |e| format!("{} cannot be read: {e}", file.display());
        let (manifest, keyring) = Manifest::read(file, passphrase).map_err(failed)?;
        let folder = Staged::beside(file)?;
        manifest.unpack(file, &folder).map_err(failed)?;
        Ok(Self { folder, manifest, keyring })
    }

    /// The keyring of its source.
    pub fn keyring(&self) -> &str {
        &self.keyring
    }

    /// Whether deletions have to be repaired in a stack that gets its data.
    pub fn needs_repair(&self) -> bool {
        self.manifest.data < data_dir::FORMAT
    }

    /// Writes the keyring of the source to a new file, which only its owner may read.
    ///
    /// # Errors
    /// A sentence: it is there already, or cannot be written.
    pub fn write_keyring(&self, file: &Path) -> Result<(), String> {
        let written = NewFile::beside(file).and_then(|mut new| {
            std::io::Write::write_all(new.file(), self.keyring.as_bytes())?;
            new.link(file)
        });
        written.map_err(|e| format!("{} cannot be written: {e}", file.display()))
    }

    /// Imports everything into a data folder that nobody serves, whose streams `sources` reads. A
    /// repetition goes on.
    ///
    /// # Errors
    /// A sentence: the folder has other data, or something cannot be read or written.
    pub async fn import_into_folder(
        &self,
        mut sources: Sources,
        folder: &Path,
    ) -> Result<String, String> {
        let told = self.import(&Stack::embedded(sources.embedded())).await?;
        // Records of imported items cause nothing.
        sources.skip().await?;
        // The first start changes data of an earlier version.
        data_dir::note_format(folder, self.manifest.data)?;
        Ok(told)
    }

    /// Imports everything into a stack. A repetition goes on.
    ///
    /// # Errors
    /// A sentence: the stack has data, or a call failed.
    pub async fn import_into_stack(&self, stack: &AwsStack) -> Result<String, String> {
        self.import(&stack.0).await
    }

    async fn import(&self, place: &Stack) -> Result<String, String> {
        let id = self.manifest.id();
        let mut progress = match Progress::found(place, &id).await? {
            Some(found) => found,
            None => {
                for table in ORDER {
                    if !tables::is_empty(place, table).await? {
                        return Err(format!("{} is not empty", place.table(table)));
                    }
                }
                Progress::begin(place, &id).await?
            }
        };
        for table in ORDER {
            self.import_table(place, table, &mut progress).await?;
        }
        for name in queues::names() {
            self.import_queue(place, &name, &mut progress).await?;
        }
        progress.end().await?;
        Ok(told(&self.manifest))
    }

    async fn import_table(
        &self,
        place: &Stack,
        table: Table,
        progress: &mut Progress<'_>,
    ) -> Result<(), String> {
        let (name, checked) = (table_part(table), format!("{} compared", table.name()));
        let Some(part) = self.manifest.part(&name) else { return Ok(()) };
        if progress.of(&checked) > 0 {
            return Ok(());
        }
        let mut items = archive::values(&self.folder, &name, ITEM, progress.of(&name))
            .map_err(|e| e.to_string())?;
        loop {
            let put = tables::put_next(place, table, &mut items).await?;
            if put == 0 {
                break;
            }
            progress.advance(&name, put).await?;
        }
        let found: Digest = tables::digest(place, table).await?;
        if !part.has(&found) {
            return Err(format!(
                "{} differs from the archive: it has {} items instead of {}, or others; does \
                 something write there?",
                place.table(table),
                found.count,
                part.count
            ));
        }
        tracing::info!(table = table.name(), items = found.count, "A table was imported.");
        progress.advance(&checked, 1).await
    }

    async fn import_queue(
        &self,
        place: &Stack,
        name: &str,
        progress: &mut Progress<'_>,
    ) -> Result<(), String> {
        let part = queue_part(name);
        let Some(all) = self.manifest.part(&part) else { return Ok(()) };
        if progress.of(&part) >= all.count {
            return Ok(());
        }
        let url = place.queue(name).await?;
        let messages = archive::values(&self.folder, &part, MESSAGE, progress.of(&part));
        let mut messages = messages.map_err(|e| e.to_string())?.peekable();
        loop {
            let now = Clock::default().now();
            let sent = queues::send_next(place, &url, &mut messages, now as i64).await?;
            if sent == 0 {
                return Ok(());
            }
            progress.advance(&part, sent).await?;
        }
    }
}
