//! The head of an editor: its type, and its current snapshot.

use aws::{Condition, Item, Update, Value};
use error::{Error, Result};
use futures_util::future::try_join;
use model::{
    EditorId, Millis, UserId,
    editor::{CONTENT_KEY as DEFAULT_KEY, EditorType},
    life::Life,
};
use tenancy::{
    layout::{Table, item, pack},
    prelude::*,
};

use super::{
    EditorStore,
    bounds::Full,
    bytes,
    edits::ContentType,
    former::{self, FIRSTS, Former},
    n, text, user,
};
use crate::prelude::*;

pub(super) const EPOCH: &str = "epoch";
pub(super) const CLOCK: &str = "clock";
pub(super) const SNAPSHOT: &str = "snapshot";
const PARTS: &str = "parts";
const BYTES: &str = "bytes";
const PACKED: &str = "packed";
/// Size in memory; of a snapshot here, of an entry in its first row.
pub(super) const FOOTPRINT: &str = "footprint";
const INLINE: &str = "inline";
pub(super) const PREVIOUS: &str = "previous";
pub(super) const REPLACED_AT: &str = "replacedAt";
pub(super) const UPDATED_AT: &str = "updatedAt";
pub(super) const UPDATED_BY: &str = "updatedBy";
pub(super) const FULL: &str = "full";
pub(super) const KEPT_AT: &str = "keptAt";
pub(super) const SINCE_KEPT: &str = "sinceKept";
pub(super) const ADDED: &str = "added";
const TURN: &str = "turn";
pub(super) const EDITOR: &str = "editorId";
const TYPE: &str = "type";
const CONTENT_KEY: &str = "contentKey";
const IS_OPEN: &str = "isOpen";
const CLIENT: &str = "client";
const IS_OWNED: &str = "isOwned";
const CREATED_AT: &str = "createdAt";

/// A snapshot, with the authors of what is in it.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) version: String,
    /// Number of its rows; none when the row that names it contains it.
    pub(super) parts: usize,
    /// Unpacked size.
    pub(super) bytes: usize,
    /// Stored size; behind that are the authors.
    pub(super) packed: usize,
    /// Size of the snapshot in memory.
    pub(super) footprint: usize,
    pub(super) inline: Option<Vec<u8>>,
}

impl Snapshot {
    /// The snapshot that a row names, if it names one.
    pub(super) fn read(item: &Item) -> Result<Option<Self>> {
        let Some(version) = text(item, SNAPSHOT) else { return Ok(None) };
        let size =
            |name| usize::try_from(item::number(item, name).unwrap_or(0)).map_err(Error::internal);
        let (parts, inline) = (size(PARTS)?, bytes(item, INLINE).map(<[u8]>::to_vec));
        // Heads of earlier versions do not say it.
        let most = inline.as_ref().map_or(parts * pack::PART_BYTES, Vec::len);
        Ok(Some(Self {
            version,
            parts,
            bytes: size(BYTES)?,
            packed: Some(size(PACKED)?).filter(|packed| *packed > 0).unwrap_or(most),
            footprint: size(FOOTPRINT)?,
            inline,
        }))
    }

    /// The members of a row that names it; none where there is nothing.
    pub(super) fn members(&self) -> [(&'static str, Option<Value>); 6] {
        let inline = self.inline.as_deref().map(|bytes| Value::B(aws::Blob::new(bytes)));
        [
            (SNAPSHOT, Some(Value::S(self.version.clone()))),
            (PARTS, Some(n(self.parts as u64))),
            (BYTES, Some(n(self.bytes as u64))),
            (PACKED, Some(n(self.packed as u64))),
            (FOOTPRINT, Some(n(self.footprint as u64))),
            (INLINE, inline),
        ]
    }
}

/// A head with its version.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) id: EditorId,
    pub(super) kind: EditorType,
    pub(super) content_key: String,
    /// Whether the first text or a caller still decides type and name.
    pub(super) is_open: bool,
    pub(super) epoch: String,
    /// Whether users own their clients from the beginning. In editors of earlier versions, clients
    /// have structs and no owner.
    pub(super) is_owned: bool,
    pub(super) client: u32,
    /// Clients of its first content, which each peer has who has read it.
    pub(super) firsts: Vec<u64>,
    /// Deleted editors with this id.
    pub(super) former: Former,
    pub(super) created_at: Millis,
    /// The newest update in the snapshot; updates of the log are newer.
    pub(super) updated_at: Millis,
    pub(super) updated_by: Option<UserId>,
    pub(super) snapshot: Option<Snapshot>,
    /// The previous snapshot, and the time of its replacement.
    pub(super) previous: Option<(String, Millis)>,
    /// Whether peers are blocked, and the reason.
    pub(super) full: Option<Full>,
    /// The last append that others had to take note of.
    pub(super) turn: Option<String>,
    /// When a snapshot was kept last for the history, and the number of snapshots since.
    pub(super) kept_at: Option<Millis>,
    pub(super) since_kept: u64,
    /// Number of versions that were added.
    pub(super) added: u64,
}

/// The head still has that epoch.
pub(super) fn of_epoch(epoch: &str) -> Condition {
    Condition {
        expression: "#epoch = :epoch".to_owned(),
        names: [("#epoch".to_owned(), EPOCH.to_owned())].into(),
        values: [(":epoch".to_owned(), Value::S(epoch.to_owned()))].into(),
    }
}

impl Head {
    /// The head still has the epoch and the snapshot that were read.
    pub(super) fn of_snapshot(&self) -> Condition {
        let mut condition = of_epoch(&self.epoch);
        condition.names.insert("#snapshot".to_owned(), SNAPSHOT.to_owned());
        condition.expression.push_str(match &self.snapshot {
            Some(seen) => {
                condition.values.insert(":seen".to_owned(), Value::S(seen.version.clone()));
                " AND #snapshot = :seen"
            }
            None => " AND attribute_not_exists(#snapshot)",
        });
        condition
    }

    /// Also decides the type of the editor, unless somebody else did since it was read.
    pub(super) fn decide(&self, ContentType { kind, key }: ContentType, update: &mut Update) {
        update.expression.push_str(", #type = :type, #contentKey = :contentKey, #isOpen = :isOpen");
        update.condition.get_or_insert_default().push_str(
            " AND #type = :typeRead AND #contentKey = :contentKeyRead \
             AND (attribute_not_exists(#isOpen) OR #isOpen = :isOpenRead)",
        );
        for (name, read, new) in [
            (TYPE, Value::S(self.kind.as_str().to_owned()), Value::S(kind.as_str().to_owned())),
            (CONTENT_KEY, Value::S(self.content_key.clone()), Value::S(key)),
            (IS_OPEN, Value::Bool(self.is_open), Value::Bool(false)),
        ] {
            update.names.insert(format!("#{name}"), name.to_owned());
            update.values.insert(format!(":{name}Read"), read);
            update.values.insert(format!(":{name}"), new);
        }
    }

    /// Also takes the turn, unless another append did since the head was read.
    pub(super) fn take_turn(&self, version: String, update: &mut Update) {
        update.expression.push_str(", #turn = :turn");
        let condition = update.condition.get_or_insert_default();
        match &self.turn {
            Some(read) => {
                condition.push_str(" AND #turn = :turnRead");
                update.values.insert(":turnRead".to_owned(), Value::S(read.clone()));
            }
            None => condition.push_str(" AND attribute_not_exists(#turn)"),
        }
        update.names.insert("#turn".to_owned(), TURN.to_owned());
        update.values.insert(":turn".to_owned(), Value::S(version));
    }

    pub(super) fn read(item: &Item) -> Result<Self> {
        let broken = || Error::internal("a head of an editor lacks a member");
        let wanted = |name| text(item, name).ok_or_else(broken);
        let count = |name| item::number(item, name).ok_or_else(broken);
        let kind = EditorType::parse(&wanted(TYPE)?).ok_or_else(broken)?;
        let content_key = wanted(CONTENT_KEY)?;
        let is_open = match item.get(IS_OPEN).map(Value::as_bool) {
            Some(Ok(is_open)) => *is_open,
            // Heads of earlier versions do not say whether a caller chose the type. The first
            // update of a peer chose it if callers neither wrote nor left the default name.
            _ => {
                !kind.is_text()
                    && content_key != DEFAULT_KEY
                    && item::number(item, CLOCK) == Some(0)
            }
        };
        Ok(Self {
            id: wanted(EDITOR)?.try_into().map_err(|_| broken())?,
            kind,
            content_key,
            is_open,
            epoch: wanted(EPOCH)?,
            is_owned: matches!(item.get(IS_OWNED), Some(Value::Bool(true))),
            client: count(CLIENT)?.try_into().map_err(Error::internal)?,
            firsts: former::read(item, FIRSTS),
            former: Former::of_head(item),
            created_at: count(CREATED_AT)?,
            updated_at: count(UPDATED_AT)?,
            updated_by: user(item, UPDATED_BY)?,
            snapshot: Snapshot::read(item)?,
            previous: text(item, PREVIOUS).zip(item::number(item, REPLACED_AT)),
            full: text(item, FULL).and_then(|name| Full::named(&name)),
            turn: text(item, TURN),
            kept_at: item::number(item, KEPT_AT),
            since_kept: item::number(item, SINCE_KEPT).unwrap_or(0),
            added: item::number(item, ADDED).unwrap_or(0),
        })
    }

    /// The item of a new head. Its write time never changes, because the deletion of a document
    /// removes only editors that existed before.
    pub(super) fn item(&self, store: &EditorStore, clock: u32) -> Item {
        let mut item = store.key(&store.head_key(&self.id));
        let members = [
            (EDITOR, Value::S(self.id.as_str().to_owned())),
            (TYPE, Value::S(self.kind.as_str().to_owned())),
            (CONTENT_KEY, Value::S(self.content_key.clone())),
            (IS_OPEN, Value::Bool(self.is_open)),
            (IS_OWNED, Value::Bool(self.is_owned)),
            (EPOCH, Value::S(self.epoch.clone())),
            (CLIENT, n(self.client)),
            (CLOCK, n(clock)),
            (CREATED_AT, n(self.created_at)),
            (UPDATED_AT, n(self.updated_at)),
            (item::WRITTEN, n(self.created_at)),
        ];
        item.extend(members.map(|(name, value)| (name.to_owned(), value)));
        item.extend(former::written(FIRSTS, &self.firsts));
        item.extend(self.former.in_head());
        if let Some(user) = &self.updated_by {
            item.insert(UPDATED_BY.to_owned(), Value::S(user.as_str().to_owned()));
        }
        item
    }
}

impl EditorStore {
    pub(super) async fn head(&self, editor: &EditorId) -> Result<Option<Head>> {
        let key = self.head_key(editor);
        let read = self.db().get(Table::Crdt, self.organization.partition(), &key);
        let (found, organization) = try_join(read, self.organization_life()).await?;
        let head = found.as_ref().map(Head::read).transpose()?;
        Ok(head.filter(|head| self.later_life(head, organization).is_none()))
    }

    /// The present life of the organization for the tenant's server, which no right has led to it; none
    /// for end users, whose rights were decided in one.
    pub(super) async fn organization_life(&self) -> Result<Option<Life>> {
        let tenant = self.organization.tenant();
        if tenant.end_user().is_some() {
            return Ok(None);
        }
        let organizations = tenant.organizations().all();
        Ok(Some(organizations.find_standing(self.organization.id()).await?.life()))
    }

    /// The life in which an editor does not exist: its organization has been deleted since it was
    /// created, or for an end user its document, and the clean-up has not been there.
    pub(super) fn later_life(&self, head: &Head, organization: Option<Life>) -> Option<Life> {
        match organization {
            Some(life) => Some(life).filter(|life| !life.covers(head.created_at)),
            None => {
                let organizations = self.organization.tenant().organizations().all();
                let organization = organizations.rows().place_of(self.organization.id());
                self.db().later_life(head.created_at, [organization, self.container()])
            }
        }
    }
}
