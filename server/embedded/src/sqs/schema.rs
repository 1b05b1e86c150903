//! The database file.

use std::path::Path;

use rusqlite::Connection;

/// The indexes serve, in this order: standard receives and the next visible message, receives in
/// turns of groups, messages with too many receives, and expired messages. Without them every
/// receive from a long backlog would read and sort all of it.
const SCHEMA: &str = "
    create table if not exists queues (
        id integer primary key autoincrement,
        name text not null unique,
        attributes text not null,
        created_at integer not null,
        modified_at integer not null
    );
    create table if not exists messages (
        id integer primary key autoincrement,
        queue_id integer not null references queues (id) on delete cascade,
        message_id text not null,
        body text not null,
        attributes text not null,
        system_attributes text not null,
        group_id text,
        sent_at integer not null,
        visible_at integer not null,
        received integer not null default 0,
        first_received_at integer,
        receipt text,
        source text
    );
    create index if not exists messages_by_visibility on messages (queue_id, visible_at, id);
    create index if not exists messages_by_group on messages (queue_id, group_id, visible_at, id);
    create index if not exists messages_in_flight on messages (queue_id, group_id, visible_at)
        where receipt is not null;
    create index if not exists messages_by_receipts on messages (queue_id, received, visible_at);
    create index if not exists messages_by_age on messages (queue_id, sent_at);
";

pub(super) fn open(file: Option<&Path>) -> rusqlite::Result<Connection> {
    let connection = match file {
        Some(path) => Connection::open(path)?,
        None => Connection::open_in_memory()?,
    };
    // With a write-ahead log, `normal` loses no commit when the process is killed.
    connection.execute_batch(
        "pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;
         pragma wal_autocheckpoint = 0;",
    )?;
    connection.execute_batch(SCHEMA)?;
    // Receivers of messages ended with the previous process on this file.
    connection.execute_batch(
        "update messages set visible_at = sent_at, receipt = null where receipt is not null",
    )?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Random bytes in hexadecimal, from SQLite's generator.
pub(super) fn random(db: &Connection) -> rusqlite::Result<String> {
    db.prepare_cached("select lower(hex(randomblob(16)))")?.query_row([], |row| row.get(0))
}
