//! The file between two places: one tar archive of the items of each table and the messages of each
//! queue, with their counts, digests and checksums, and of the keyring under a passphrase.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::digest::Digest;
use crate::{
    backup::{is_plain, private_file, sum, unpacked},
    data_dir,
};

/// The layout version of the archive. Those of the first one do not name the format of the data.
const FORMAT: u32 = 2;
const MANIFEST: &str = "manifest.json";

/// What an archive has.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    format: u32,
    /// The format of the data: that of a data folder.
    #[serde(default = "first")]
    pub(crate) data: u32,
    /// The version of the program that wrote it.
    pub(crate) version: String,
    /// Where it comes from, for people.
    pub(crate) source: String,
    /// When it was made, in epoch milliseconds.
    pub(crate) at: u64,
    /// Its files, by their paths.
    parts: BTreeMap<String, Part>,
    /// The keyring of the source, under a passphrase.
    pub(crate) keyring: String,
}

const fn first() -> u32 {
    1
}

/// A file of an archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Part {
    pub(crate) count: u64,
    pub(crate) digest: String,
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
        let line = serde_json::json!({ key: value });
        writeln!(self.writer, "{line}")
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
        let writer = GzEncoder::new(BufWriter::new(File::create(path)?), Compression::fast());
        Ok(Lines { name, writer, digest: Digest::default() })
    }

    pub(crate) fn end(&mut self, lines: Lines) -> std::io::Result<()> {
        let Lines { name, writer, digest } = lines;
        writer.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        let sha256 = sum(&self.folder.join(&name))?;
        let part = Part { count: digest.count, digest: digest.to_string(), sha256 };
        self.parts.insert(name, part);
        Ok(())
    }

    /// Packs the parts into a new file, which only its owner may read.
    pub(crate) fn pack(
        self,
        file: &Path,
        data: u32,
        source: &str,
        at: u64,
        keyring: String,
    ) -> std::io::Result<Manifest> {
        let (version, source) = (env!("CARGO_PKG_VERSION").to_owned(), source.to_owned());
        let (format, parts) = (FORMAT, self.parts);
        let manifest = Manifest { format, data, version, source, at, parts, keyring };
        fs::write(self.folder.join(MANIFEST), serde_json::to_vec_pretty(&manifest)?)?;
        let mut archive = tar::Builder::new(private_file(file)?);
        for name in [MANIFEST].into_iter().chain(manifest.parts.keys().map(String::as_str)) {
            archive.append_path_with_name(self.folder.join(name), name)?;
        }
        archive.into_inner()?.sync_all()?;
        Ok(manifest)
    }
}

impl Manifest {
    /// Unpacks an archive into an empty folder, and compares its files with their checksums.
    pub(crate) fn unpack(file: &Path, folder: &Path) -> std::io::Result<Self> {
        let wrong = |what: String| std::io::Error::new(std::io::ErrorKind::InvalidData, what);
        let is_part = |name: &str| {
            let folder = ["tables/", "queues/"].iter().find_map(|part| name.strip_prefix(part));
            folder.is_some_and(is_plain)
        };
        for part in ["tables", "queues"] {
            fs::create_dir(folder.join(part))?;
        }
        let mut found = unpacked(file, folder, MANIFEST, is_part)?;
        let text = fs::read(folder.join(MANIFEST))?;
        let manifest: Self = serde_json::from_slice(&text)?;
        let (format, data) = (manifest.format, manifest.data);
        if format > FORMAT || data > data_dir::FORMAT {
            return Err(wrong(format!(
                "it was written by a newer version (format {format}, its data {data}; this version \
                 knows {FORMAT} and {}): update Roundtable",
                data_dir::FORMAT
            )));
        }
        found.sort_unstable();
        if !manifest.parts.keys().eq(found.iter()) {
            return Err(wrong("files are missing or were added".to_owned()));
        }
        for (name, part) in &manifest.parts {
            if sum(&folder.join(name))? != part.sha256 {
                return Err(wrong(format!("{name} is damaged")));
            }
        }
        Ok(manifest)
    }

    pub(crate) fn part(&self, name: &str) -> Option<&Part> {
        self.parts.get(name)
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = (&str, &Part)> {
        self.parts.iter().map(|(name, part)| (name.as_str(), part))
    }

    /// What identifies the content.
    pub(crate) fn id(&self) -> String {
        let sums: String = self.parts.values().map(|part| part.sha256.as_str()).collect();
        keyring::sha256_hex(&format!("{}{sums}", self.at))
    }
}

/// The values of a file in an unpacked archive, after the first `done`.
pub(crate) fn values(
    folder: &Path,
    name: &str,
    key: &'static str,
    done: u64,
) -> std::io::Result<impl Iterator<Item = std::io::Result<Value>>> {
    let reader = BufReader::new(GzDecoder::new(BufReader::new(File::open(folder.join(name))?)));
    let skipped = usize::try_from(done).unwrap_or(usize::MAX);
    Ok(reader.lines().skip(skipped).map(move |line| {
        let mut line: Value = serde_json::from_str(&line?)?;
        Ok(line[key].take())
    }))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::{Value, json};

    use super::{Manifest, Writing, values};

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

    #[test]
    fn what_is_written_is_read_again_and_a_damaged_archive_is_refused() {
        let name = keyring::random_text::<8>().unwrap();
        let home = std::env::temp_dir().join(format!("roundtable-export-{name}"));
        let (from, to, file) = (home.join("from"), home.join("to"), home.join("a.tar"));
        fs::create_dir_all(&from).unwrap();
        let mut dice = Dice(1);
        let mut item = |n: u64| json!({ "PK": { "S": n.to_string() }, "a": dice.value(3) });
        let items: Vec<Value> = (0..2_000).map(&mut item).collect();
        let mut writing = Writing::new(&from);
        let mut lines = writing.begin("tables/Resources.jsonl.gz".to_owned()).unwrap();
        items.iter().for_each(|item| lines.add("Item", item.clone()).unwrap());
        writing.end(lines).unwrap();
        let written = writing.pack(&file, 1, "here", 1, "sealed".to_owned()).unwrap();

        let unpack = || {
            fs::remove_dir_all(&to).unwrap_or_default();
            fs::create_dir_all(&to).unwrap();
            Manifest::unpack(&file, &to)
        };
        let manifest = unpack().unwrap();
        assert_eq!((manifest.id(), manifest.keyring.as_str()), (written.id(), "sealed"));
        let read = |done| -> Vec<Value> {
            let all = values(&to, "tables/Resources.jsonl.gz", "Item", done).unwrap();
            all.collect::<Result<_, _>>().unwrap()
        };
        assert_eq!(read(0), items);
        assert_eq!(read(1_990), items[1_990..]);
        let mut digest = super::Digest::default();
        items.iter().for_each(|item| digest.add(item));
        assert!(manifest.part("tables/Resources.jsonl.gz").unwrap().has(&digest));

        let whole = fs::read(&file).unwrap();
        let mut other = whole.clone();
        let middle = whole.len() / 2;
        other[middle] ^= 1;
        for damaged in [&whole[..middle], &other] {
            fs::write(&file, damaged).unwrap();
            assert!(unpack().is_err());
        }
        fs::remove_dir_all(&home).unwrap();
    }
}
