//! Archives whose bytes depend on nothing but their files and one time.

use std::io::{Cursor, Write};

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use super::calendar::calendar;

/// A file of a package.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) content: Vec<u8>,
    pub(crate) is_executable: bool,
}

impl File {
    pub(crate) fn new(path: &str, content: impl Into<Vec<u8>>) -> Self {
        Self { path: path.to_owned(), content: content.into(), is_executable: false }
    }

    pub(crate) fn executable(path: &str, content: impl Into<Vec<u8>>) -> Self {
        Self { is_executable: true, ..Self::new(path, content) }
    }

    /// The file in a folder.
    pub(crate) fn below(&self, folder: &str) -> Self {
        Self { path: format!("{folder}/{}", self.path), ..self.clone() }
    }

    fn mode(&self) -> u32 {
        if self.is_executable { 0o755 } else { 0o644 }
    }
}

/// A tar archive that is being written.
pub(crate) struct Tar {
    builder: Builder<Vec<u8>>,
    time: u64,
}

impl Tar {
    pub(crate) fn new(time: u64) -> Self {
        Self { builder: Builder::new(Vec::new()), time }
    }

    /// Adds a file of root.
    pub(crate) fn file(&mut self, file: &File) -> Result<(), String> {
        let header = self.header(EntryType::Regular, file.mode(), 0);
        self.append(header, &file.path, &file.content)
    }

    /// Adds a folder.
    pub(crate) fn folder(&mut self, path: &str, mode: u32, owner: u64) -> Result<(), String> {
        let header = self.header(EntryType::Directory, mode, owner);
        self.append(header, &format!("{path}/"), &[])
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>, String> {
        self.builder.into_inner().map_err(|e| e.to_string())
    }

    fn header(&self, kind: EntryType, mode: u32, owner: u64) -> Header {
        let mut header = Header::new_ustar();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(owner);
        header.set_gid(owner);
        header.set_mtime(self.time);
        header
    }

    fn append(&mut self, mut header: Header, path: &str, content: &[u8]) -> Result<(), String> {
        header.set_size(content.len() as u64);
        self.builder.append_data(&mut header, path, content).map_err(|e| format!("{path}: {e}"))
    }
}

/// A compressed tar archive of files of root.
pub(crate) fn tar_gz(files: &[File], time: u64) -> Result<Vec<u8>, String> {
    let mut tar = Tar::new(time);
    for file in files {
        tar.file(file)?;
    }
    gzip(&tar.finish()?)
}

/// Compresses without a time or a name.
pub(crate) fn gzip(content: &[u8]) -> Result<Vec<u8>, String> {
    // Otherwise the header says on which system it was made.
    const UNKNOWN: u8 = 255;
    let builder = GzBuilder::new().operating_system(UNKNOWN);
    let mut encoder = builder.write(Vec::new(), Compression::best());
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    written.map_err(|e| e.to_string())
}

/// A zip archive.
pub(crate) fn zip(files: &[File], time: u64) -> Result<Vec<u8>, String> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(dos_time(time)?);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        let begun = zip.start_file(file.path.as_str(), options.unix_permissions(file.mode()));
        begun.map_err(|e| e.to_string())?;
        zip.write_all(&file.content).map_err(|e| e.to_string())?;
    }
    zip.finish().map(Cursor::into_inner).map_err(|e| e.to_string())
}

fn dos_time(time: u64) -> Result<DateTime, String> {
    let time = calendar(time)?;
    let year = u16::try_from(time.year()).map_err(|e| e.to_string())?;
    let (month, day) = (time.month().into(), time.day());
    DateTime::from_date_and_time(year, month, day, time.hour(), time.minute(), time.second())
        .map_err(|e| format!("zip archives have no time before 1980: {e}"))
}

/// The files of a tar archive by name.
#[cfg(test)]
pub(crate) fn unpacked(archive: impl std::io::Read) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut archive = tar::Archive::new(archive);
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().display().to_string();
        let mut content = Vec::new();
        std::io::copy(&mut entry, &mut content).unwrap();
        (name, content)
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use flate2::read::GzDecoder;

    use super::{File, Tar, gzip, tar_gz, zip};

    const TIME: u64 = 1_700_000_000;

    fn files() -> [File; 2] {
        [File::executable("bin/run", "#!"), File::new("docs/LICENSE", "Do what you like.")]
    }

    #[test]
    fn a_tar_has_the_given_time_modes_and_owners_only() {
        let mut tar = Tar::new(TIME);
        tar.folder("data", 0o700, 65532).unwrap();
        files().iter().for_each(|file| tar.file(file).unwrap());
        let bytes = tar.finish().unwrap();
        let mut archive = tar::Archive::new(bytes.as_slice());
        let entries: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                assert_eq!(header.mtime().unwrap(), TIME);
                let path = entry.path().unwrap().display().to_string();
                (path, header.mode().unwrap(), header.uid().unwrap(), header.size().unwrap())
            })
            .collect();
        let wanted = [
            ("data/".to_owned(), 0o700, 65532, 0),
            ("bin/run".to_owned(), 0o755, 0, 2),
            ("docs/LICENSE".to_owned(), 0o644, 0, 17),
        ];
        assert_eq!(entries, wanted);
    }

    #[test]
    fn equal_files_make_equal_archives() {
        assert_eq!(tar_gz(&files(), TIME).unwrap(), tar_gz(&files(), TIME).unwrap());
        assert_eq!(zip(&files(), TIME).unwrap(), zip(&files(), TIME).unwrap());
        // No time and no system in the header of gzip.
        assert_eq!(gzip(b"a").unwrap()[4..10], [0, 0, 0, 0, 2, 255]);
    }

    #[test]
    fn compressed_archives_have_what_was_put_in() {
        let mut bytes = Vec::new();
        GzDecoder::new(gzip(b"much").unwrap().as_slice()).read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, b"much");
        let mut archive = zip::ZipArchive::new(Cursor::new(zip(&files(), TIME).unwrap())).unwrap();
        for file in files() {
            let mut entry = archive.by_name(&file.path).unwrap();
            assert_eq!(entry.unix_mode().map(|mode| mode & 0o777), Some(file.mode()));
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            assert_eq!(content, file.content);
        }
        assert!(zip(&files(), 0).is_err());
    }
}
