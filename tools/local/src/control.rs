//! Orders to a running service, by a socket in its data folder, which only its owner reaches.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt},
    net::UnixListener,
};

use crate::{Stack, backup::back_up};

const SOCKET: &str = "control";
/// Longest order: the path of a file.
const MAX_ORDER: u64 = 4096;
const DONE: &str = "done";

/// Takes orders until the runtime ends. One line is the path of a backup; the answer is one line.
///
/// # Errors
/// A sentence: there cannot be a socket, for example because the path of the folder is too long.
pub fn listen(stack: Stack, data: PathBuf) -> Result<(), String> {
    let path = data.join(SOCKET);
    // That of an earlier process; the folder is locked by this one.
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path);
    let listener = listener.map_err(|e| format!("{} cannot be used: {e}", path.display()))?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (stack, data) = (stack.clone(), data.clone());
            tokio::spawn(async move {
                let (reader, mut writer) = stream.into_split();
                let mut order = String::new();
                let mut reader = tokio::io::BufReader::new(reader.take(MAX_ORDER));
                if reader.read_line(&mut order).await.is_err() {
                    return;
                }
                let file = PathBuf::from(order.trim_end_matches('\n'));
                let made = tokio::task::spawn_blocking(move || {
                    let made = back_up(stack.emulator(), &data, &file);
                    tracing::info!(file = %file.display(), error = made.as_ref().err(), "A backup was ordered.");
                    made
                });
                let made = made.await.unwrap_or_else(|e| Err(e.to_string()));
                let answer = made.err().unwrap_or_else(|| DONE.to_owned());
                let _ = writer.write_all(format!("{answer}\n").as_bytes()).await;
            });
        }
    });
    Ok(())
}

/// Orders a backup from the service that has the folder.
///
/// # Errors
/// A sentence: no service answers, or it cannot write the backup.
pub fn order_backup(data: &Path, file: &Path) -> Result<(), String> {
    let socket = data.join(SOCKET);
    let failed = |e: std::io::Error| format!("{} does not answer: {e}", socket.display());
    let mut stream = UnixStream::connect(&socket).map_err(failed)?;
    let order = file.to_str().filter(|file| !file.contains('\n')).ok_or("the path is no text")?;
    writeln!(stream, "{order}").map_err(failed)?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).map_err(failed)?;
    match answer.trim_end() {
        DONE => Ok(()),
        "" => Err(format!("{} ended meanwhile", socket.display())),
        reason => Err(reason.to_owned()),
    }
}
