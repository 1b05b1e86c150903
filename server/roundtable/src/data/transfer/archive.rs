//! The file between two places: one tar archive of a manifest, the keyring, and the items of each
//! table and the messages of each queue.
//!
//! The manifest has the lengths and checksums of all. The passphrase encrypts the keyring with the
//! manifest as authenticated data, so that nobody without the passphrase changes anything.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufRead, BufReader, BufWriter, Error, ErrorKind, Read, Write},
    iter,
    path::{Path, PathBuf},
};

use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{From, digest::Digest};
use crate::data::{
    backup::{is_plain, sum},
    data_dir, files,
};

/// The layout version of the archive. Archives of earlier versions were not authenticated.
const FORMAT: u32 = 3;
const MANIFEST: &str = "manifest.json";
const KEYRING: &str = "keyring";
/// Longest manifest and keyring in bytes: they are read before anything is known of the archive.
const MAX_HEAD: u64 = 1024 * 1024;
/// Longest line in bytes: an item has 400 KB, a message 1 MB, and JSON is up to 14 times as long.
const MAX_LINE: u64 = 16 * 1024 * 1024;

fn wrong(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidData, what.into())
}

/// The head of an archive, which is read of any version.
#[derive(Deserialize)]
struct Head {
    format: u32,
    #[serde(default)]
    data: u32,
}

/// The contents of an archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    format: u32,
    /// The format of the data: that of a data folder.
    pub(crate) data: u32,
    /// The version of the program that wrote it.
    pub(crate) version: String,
    /// Where it comes from, for people.
    pub(crate) source: String,
    /// When it was made, in epoch milliseconds.
    pub(crate) at: u64,
    /// Files of the archive, by their paths.
    parts: BTreeMap<String, Part>,
}

/// A file of an archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Part {
    pub(crate) count: u64,
    pub(crate) digest: String,
    /// Length of the file in bytes.
    bytes: u64,
    sha256: String,
}

impl Part {
    /// Whether these are the items or messages of the file.
    pub(crate) fn has(&self, digest: &Digest) -> bool {
        self.count == digest.count && self.digest == digest.to_string()
    }
}

/// Lines of a new file.
pub(crate) struct Lines {
    name: String,
    writer: GzEncoder<BufWriter<File>>,
    digest: Digest,
}

impl Lines {
    /// Adds a value; `key` is what its line has it under.
    pub(crate) fn add(&mut self, key: &str, value: Value) -> std::io::Result<()> {
        self.digest.add(&value);
        let line = format!("{}\n", serde_json::json!({ key: value }));
        if line.len() as u64 > MAX_LINE {
            return Err(wrong(format!("a line of {} is too long", self.name)));
        }
        self.writer.write_all(line.as_bytes())
    }
}

/// An archive in the making, in a folder.
pub(crate) struct Writing {
    folder: PathBuf,
    parts: BTreeMap<String, Part>,
}

impl Writing {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), parts: BTreeMap::new() }
    }

    pub(crate) fn begin(&self, name: String) -> std::io::Result<Lines> {
        let path = self.folder.join(&name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let writer = GzEncoder::new(BufWriter::new(files::create(&path)?), Compression::fast());
        Ok(Lines { name, writer, digest: Digest::default() })
    }

    pub(crate) fn end(&mut self, lines: Lines) -> std::io::Result<()> {
        let Lines { name, writer, digest } = lines;
        writer.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        let path = self.folder.join(&name);
        let (bytes, sha256) = (fs::metadata(&path)?.len(), sum(&path)?);
        let part = Part { count: digest.count, digest: digest.to_string(), bytes, sha256 };
        self.parts.insert(name, part);
        Ok(())
    }

    /// Packs the parts and the keyring into a new file, under a passphrase.
    pub(crate) fn pack(
        self,
        file: &mut File,
        from: &From<'_>,
        keyring: &str,
        passphrase: &str,
    ) -> std::io::Result<Manifest> {
        let manifest = Manifest {
            format: FORMAT,
            data: from.data,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            source: from.source.to_owned(),
            at: from.at,
            parts: self.parts,
        };
        let text = serde_json::to_vec_pretty(&manifest)?;
        let locked = keyring::lock(keyring, passphrase, &text);
        let locked = locked.map_err(|e| Error::other(e.to_string()))?;
        let mut archive = tar::Builder::new(file);
        archive.sparse(false);
        for (name, bytes) in [(MANIFEST, text.as_slice()), (KEYRING, locked.as_bytes())] {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o600);
            archive.append_data(&mut header, name, bytes)?;
        }
        for name in manifest.parts.keys() {
            archive.append_path_with_name(self.folder.join(name), name)?;
        }
        archive.into_inner()?;
        Ok(manifest)
    }
}

/// The next entry of an archive, which nothing is known of yet.
fn head(entries: &mut tar::Entries<'_, File>, name: &str) -> std::io::Result<Vec<u8>> {
    let entry = entries.next().transpose()?.filter(|entry| {
        let is_file = entry.header().entry_type().is_file();
        is_file && entry.path_bytes() == name.as_bytes() && entry.size() <= MAX_HEAD
    });
    let entry =
        entry.ok_or_else(|| wrong(format!("it has no {name}, so it is no such archive")))?;
    let (size, mut bytes) = (entry.size(), vec![]);
    entry.take(MAX_HEAD).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == size { Ok(bytes) } else { Err(wrong("it is incomplete")) }
}

impl Manifest {
    /// The manifest and the keyring of an archive, which the passphrase vouches for. Nothing else is
    /// read of one that somebody else has made or changed.
    pub(crate) fn read(file: &Path, passphrase: &str) -> std::io::Result<(Self, String)> {
        let mut archive = tar::Archive::new(File::open(file)?);
        // As they are: long names of extensions would be read into memory, whatever their length.
        let mut entries = archive.entries()?.raw(true);
        let text = head(&mut entries, MANIFEST)?;
        let Head { format, data } = serde_json::from_slice(&text)?;
        if format > FORMAT || data > data_dir::FORMAT {
            return Err(wrong(format!(
                "it was written by a newer version (format {format}, its data {data}; this version \
                 knows {FORMAT} and {}): update Roundtable",
                data_dir::FORMAT
            )));
        }
        if format < FORMAT {
            return Err(wrong(format!(
                "it was written by an earlier version (format {format}, this version reads \
                 {FORMAT}), and nothing shows whether somebody changed it: export it again with \
                 this version"
            )));
        }
        let locked = String::from_utf8(head(&mut entries, KEYRING)?).unwrap_or_default();
        let keyring = keyring::unlock(&locked, passphrase, &text)
            .ok_or_else(|| wrong("its passphrase is another, or somebody changed it"))?;
        Ok((serde_json::from_slice(&text)?, keyring))
    }

    /// Unpacks the other files of its archive into an empty folder: those that it names, as long as
    /// it says, with their checksums.
    pub(crate) fn unpack(&self, file: &Path, folder: &Path) -> std::io::Result<()> {
        for part in ["tables", "queues"] {
            fs::create_dir(folder.join(part))?;
        }
        let mut missing: BTreeMap<&str, &Part> = self.parts().collect();
        let mut archive = tar::Archive::new(File::open(file)?);
        for entry in archive.entries()?.raw(true).skip(2) {
            let mut entry = entry?;
            let name = entry.path()?.to_string_lossy().into_owned();
            let is_file = entry.header().entry_type().is_file() && is_part(&name);
            let part = missing.remove(name.as_str());
            let Some(part) = part.filter(|part| is_file && part.bytes == entry.size()) else {
                return Err(wrong(format!("{name} is not what the manifest names")));
            };
            let path = folder.join(&name);
            let mut written = files::create(&path)?;
            std::io::copy(&mut entry, &mut written)?;
            if sum(&path)? != part.sha256 {
                return Err(wrong(format!("{name} is damaged")));
            }
        }
        if missing.is_empty() { Ok(()) } else { Err(wrong("files are missing")) }
    }

    pub(crate) fn part(&self, name: &str) -> Option<&Part> {
        self.parts.get(name)
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = (&str, &Part)> {
        self.parts.iter().map(|(name, part)| (name.as_str(), part))
    }

    /// A hash that identifies the content.
    pub(crate) fn id(&self) -> String {
        let sums: String = self.parts.values().map(|part| part.sha256.as_str()).collect();
        keyring::sha256_hex(&format!("{}{sums}", self.at))
    }
}

fn is_part(name: &str) -> bool {
    let name = ["tables/", "queues/"].iter().find_map(|folder| name.strip_prefix(folder));
    name.is_some_and(is_plain)
}

/// The values of a file in an unpacked archive, after the first `done`.
pub(crate) fn values(
    folder: &Path,
    name: &str,
    key: &'static str,
    done: u64,
) -> std::io::Result<impl Iterator<Item = std::io::Result<Value>>> {
    let file = BufReader::new(File::open(folder.join(name))?);
    let mut reader = BufReader::new(GzDecoder::new(file));
    let skipped = usize::try_from(done).unwrap_or(usize::MAX);
    Ok(iter::from_fn(move || line(&mut reader).transpose()).skip(skipped).map(move |line| {
        let mut line: Value = serde_json::from_slice(&line?)?;
        Ok(line[key].take())
    }))
}

/// The next line; what is compressed may be of any length.
fn line(reader: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = vec![];
    reader.take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
        return Err(wrong("a line is too long"));
    }
    Ok((!line.is_empty()).then_some(line))
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{self, File},
        io::Read,
        path::PathBuf,
    };

    use serde_json::{Value, json};

    use super::{Manifest, Writing, values};
    use crate::data::{
        files::Staged,
        transfer::{Archive, From},
    };

    /// Deterministic, like all tests with random data.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) % n
        }

        fn text(&mut self) -> String {
            let letters = ["a", "é", "🦀", "\n", "\"", "\\", "\u{0}", " ", "#", "%"];
            (0..self.below(8)).map(|_| letters[self.below(10) as usize]).collect()
        }

        fn value(&mut self, depth: u64) -> Value {
            let many = |dice: &mut Self, depth: u64| {
                (0..dice.below(4)).map(|_| dice.value(depth - 1)).collect::<Vec<Value>>()
            };
            match self.below(if depth == 0 { 8 } else { 10 }) {
                0 => json!({ "S": self.text() }),
                1 => json!({ "N": format!("{}.{}E-7", self.below(1 << 30), self.below(9)) }),
                2 => json!({ "B": "AAEC/w==" }),
                3 => json!({ "BOOL": self.below(2) == 0 }),
                4 => json!({ "NULL": true }),
                5 => json!({ "SS": [self.text(), "other"] }),
                6 => json!({ "NS": ["-1", "99999999999999999999999999999999999999"] }),
                7 => json!({ "BS": ["AA==", "/w=="] }),
                8 => json!({ "L": many(self, depth) }),
                _ => {
                    let members = many(self, depth).into_iter().map(|value| (self.text(), value));
                    json!({ "M": members.collect::<serde_json::Map<_, _>>() })
                }
            }
        }
    }

    const PASSPHRASE: &str = "correct horse battery";
    const PART: &str = "tables/Resources.jsonl.gz";

    struct Home(PathBuf);

    impl Home {
        fn new() -> Self {
            let name = keyring::random_text::<8>().unwrap();
            let home = std::env::temp_dir().join(format!("roundtable-export-{name}"));
            fs::create_dir_all(&home).unwrap();
            Self(home)
        }

        fn file(&self) -> PathBuf {
            self.0.join("a.tar")
        }

        /// Writes an archive of these items.
        fn write(&self, items: &[Value]) -> Manifest {
            let folder = Staged::beside(&self.0.join("from")).unwrap();
            let mut writing = Writing::new(&folder);
            let mut lines = writing.begin(PART.to_owned()).unwrap();
            items.iter().for_each(|item| lines.add("Item", item.clone()).unwrap());
            writing.end(lines).unwrap();
            let from = From { data: 1, source: "here", at: 1 };
            let mut file = File::create(self.file()).unwrap();
            writing.pack(&mut file, &from, "sealed", PASSPHRASE).unwrap()
        }

        /// Writes the same archive, with entries as `change` makes them of its own.
        fn change(&self, change: impl Fn(&mut Vec<(String, Vec<u8>)>)) {
            let mut archive = tar::Archive::new(File::open(self.file()).unwrap());
            let mut entries = vec![];
            for entry in archive.entries().unwrap() {
                let mut entry = entry.unwrap();
                let (name, mut bytes) = (entry.path().unwrap().display().to_string(), vec![]);
                entry.read_to_end(&mut bytes).unwrap();
                entries.push((name, bytes));
            }
            change(&mut entries);
            let mut archive = tar::Builder::new(File::create(self.file()).unwrap());
            for (name, bytes) in entries {
                let mut header = tar::Header::new_gnu();
                header.set_size(bytes.len() as u64);
                archive.append_data(&mut header, name, bytes.as_slice()).unwrap();
            }
            archive.finish().unwrap();
        }

        fn open(&self) -> Result<Archive, String> {
            let opened = Archive::open(&self.file(), PASSPHRASE);
            if opened.is_err() {
                let left = fs::read_dir(&self.0).unwrap().count();
                assert_eq!(left, 1, "something is left beside the archive");
            }
            opened
        }

        fn refused(&self) -> String {
            self.open().err().expect("it is refused")
        }
    }

    impl Drop for Home {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_is_written_is_read_again_and_a_damaged_archive_is_refused() {
        let home = Home::new();
        let mut dice = Dice(1);
        let mut item = |n: u64| json!({ "PK": { "S": n.to_string() }, "a": dice.value(3) });
        let items: Vec<Value> = (0..2_000).map(&mut item).collect();
        let written = home.write(&items);
        let archive = home.open().unwrap();
        assert_eq!((archive.manifest.id(), archive.keyring()), (written.id(), "sealed"));
        let read = |done| -> Vec<Value> {
            let all = values(&archive.folder, PART, "Item", done).unwrap();
            all.collect::<Result<_, _>>().unwrap()
        };
        assert_eq!(read(0), items);
        assert_eq!(read(1_990), items[1_990..]);
        let mut digest = super::Digest::default();
        items.iter().for_each(|item| digest.add(item));
        assert!(archive.manifest.part(PART).unwrap().has(&digest));
        drop(archive);

        let whole = fs::read(home.file()).unwrap();
        let mut other = whole.clone();
        let middle = whole.len() / 2;
        other[middle] ^= 1;
        for damaged in [&whole[..middle], &whole[..1000], &other] {
            fs::write(home.file(), damaged).unwrap();
            home.refused();
        }
    }

    #[test]
    fn who_lacks_the_passphrase_changes_nothing() {
        let home = Home::new();
        home.write(&[json!({ "token": "ours" })]);
        let ours = fs::read(home.file()).unwrap();
        let reason = Archive::open(&home.file(), "another passphrase").err().unwrap();
        assert!(reason.contains("passphrase is another"), "{reason}");
        // A sound archive of somebody else's data under somebody else's passphrase has their sums.
        let theirs = Home::new();
        theirs.write(&[json!({ "token": "theirs" })]);
        let mut forged = vec![];
        let mut archive = tar::Archive::new(File::open(theirs.file()).unwrap());
        for entry in archive.entries().unwrap() {
            let mut bytes = vec![];
            entry.unwrap().read_to_end(&mut bytes).unwrap();
            forged.push(bytes);
        }
        home.change(|entries| {
            entries[0].1.clone_from(&forged[0]);
            entries[2].1.clone_from(&forged[2]);
        });
        assert!(home.refused().contains("somebody changed it"));
        for (what, change) in [
            ("not what the manifest names", 0),
            ("not what the manifest names", 1),
            ("files are missing", 2),
            ("is damaged", 3),
            ("it has no manifest.json", 4),
            ("it has no keyring", 5),
        ] {
            fs::write(home.file(), &ours).unwrap();
            home.change(|entries| match change {
                0 => entries.push(("tables/Other.jsonl.gz".to_owned(), vec![])),
                1 => entries[2].1.push(0),
                2 => entries.truncate(2),
                3 => *entries[2].1.last_mut().unwrap() ^= 1,
                4 => entries[0].1 = vec![b' '; 1024 * 1024 + 1],
                _ => drop(entries.remove(1)),
            });
            let reason = home.refused();
            assert!(reason.contains(what), "{what}: {reason}");
        }
    }

    #[test]
    fn archives_of_other_versions_say_what_to_do() {
        let home = Home::new();
        for (format, what) in [(2, "export it again"), (1, "export it again"), (4, "update")] {
            home.write(&[]);
            home.change(|entries| {
                let mut manifest: Value = serde_json::from_slice(&entries[0].1).unwrap();
                manifest["format"] = json!(format);
                entries[0].1 = manifest.to_string().into_bytes();
            });
            let reason = home.refused();
            assert!(reason.contains(what), "{reason}");
        }
    }

    #[test]
    fn a_line_has_a_longest_length() {
        let long = vec![b'x'; usize::try_from(super::MAX_LINE).unwrap() + 1];
        assert!(super::line(&mut long.as_slice()).is_err());
        let mut two = &b"a\nb"[..];
        let mut next = || super::line(&mut two).unwrap();
        assert_eq!([next(), next(), next()], [Some(b"a\n".to_vec()), Some(b"b".to_vec()), None]);
    }
}
