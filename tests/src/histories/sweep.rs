//! Rows that no table may hold once all work is done, by a table of kinds of its own.

use std::collections::{BTreeMap, BTreeSet};

use embedded::EmbeddedServices;
use reference::User;
use roundtable::table_name;
use serde_json::Value;
use service::Table;

use super::{deployment::Deployment, names};

/// The items of a tenant's organization, by table and sort key.
#[derive(Default)]
struct Organization {
    is_there: bool,
    items: BTreeMap<String, Value>,
}

/// Looks through all tables for rows whose document, folder, group, user or organization is gone.
///
/// # Errors
/// A sentence about the first row that should not be there.
pub fn sweep(embedded: &EmbeddedServices) -> Result<(), String> {
    let unconfirmed = |item: &&Value| {
        is_gone(item) && item.get("_ended").is_some() && item.get("expires").is_none()
    };
    if let Some(item) = dump(embedded, Table::Resources).iter().find(unconfirmed) {
        return Err(format!("after all work, no clean-up was confirmed: {}", sort_of(item)));
    }
    for (partition, organization) in organizations(embedded) {
        for (sort, item) in &organization.items {
            let lacking = organization.lacking(sort, item);
            if let Some(lacking) = lacking {
                return Err(format!("after all work, {sort} of {partition} lacks {lacking}"));
            }
        }
    }
    Ok(())
}

/// Looks for a user who was just erased.
///
/// # Errors
/// A sentence about the first row that names the user.
pub(super) fn traces(deployment: &Deployment, erased: User) -> Result<(), String> {
    for table in [Table::Resources, Table::Schedule, Table::Realtime, Table::Crdt] {
        for item in dump(deployment.embedded(), table) {
            if remains(table, &item) {
                continue;
            }
            let mut shown = item.clone();
            if let Some(members) = shown.as_object_mut() {
                members.remove("_events");
            }
            let text = without_quoted(&item, shown.to_string(), erased);
            if let Some(trace) = names::traces(erased).iter().find(|it| text.contains(*it)) {
                let sort = sort_of(&item);
                return Err(format!("after an erasure, {sort} names {trace:?}: {text}"));
            }
        }
    }
    Ok(())
}

/// An item without the name of a user in the comment that a notification quotes, which remains after an
/// erasure (contract `user-data.remains`).
fn without_quoted(item: &Value, text: String, user: User) -> String {
    match sort_of(item).starts_with("notification#") {
        true => text.replace(&names::quoted(user), ""),
        false => text,
    }
}

/// Whether an item remains after an erasure (contract `user-data.remains`). So does the content of
/// live state and editors, but here it names nobody.
fn remains(table: Table, item: &Value) -> bool {
    let sort = sort_of(item);
    let head = sort.split('#').next().unwrap_or_default();
    let ends = matches!(head, "organization-grant" | "document-grant" | "folder-grant")
        && item.get("expires").is_some();
    let is_named_call = head == "operation";
    // A clean-up of the user's own departure that is due within minutes; it has the id alone.
    let is_message = table == Table::Schedule && head == "message";
    ends || is_named_call || is_message || is_gone(item)
}

fn dump(embedded: &EmbeddedServices, table: Table) -> Vec<Value> {
    embedded.dump(&table_name(table)).expect("a table")
}

fn is_gone(item: &Value) -> bool {
    item.get("_gone").is_some()
}

fn sort_of(item: &Value) -> &str {
    item["SK"]["S"].as_str().unwrap_or_default()
}

/// All organizations that anything belongs to, by their partition.
fn organizations(embedded: &EmbeddedServices) -> BTreeMap<String, Organization> {
    let mut all: BTreeMap<String, Organization> = BTreeMap::new();
    for table in [Table::Resources, Table::Realtime, Table::Crdt] {
        for item in dump(embedded, table) {
            if is_gone(&item) {
                continue;
            }
            let (partition, sort) = (item["PK"]["S"].as_str().unwrap_or_default(), sort_of(&item));
            let mut parts = partition.split('#');
            let (Some("key"), Some(key)) = (parts.next(), parts.next()) else { continue };
            match (parts.next(), parts.next()) {
                (Some("organization"), Some(id)) => {
                    let of = all.entry(format!("key#{key}#organization#{id}")).or_default();
                    of.items.insert(sort.to_owned(), item);
                }
                (None, _) if sort.starts_with("organization#") => {
                    all.entry(format!("key#{key}#{sort}")).or_default().is_there = true;
                }
                _ => {}
            }
        }
    }
    all
}

impl Organization {
    /// The object that an item needs and does not have.
    fn lacking(&self, sort: &str, item: &Value) -> Option<String> {
        let parts: Vec<&str> = sort.split('#').collect();
        let of = |name: &str| item[name]["S"].as_str();
        let needs_organization = matches!(
            parts[0],
            "document"
                | "folder"
                | "user"
                | "document-user"
                | "folder-user"
                | "group"
                | "recording"
                | "annotation"
                | "archived"
                | "comment-id"
        );
        if needs_organization && !self.is_there {
            return Some("its organization".to_owned());
        }
        match parts.as_slice() {
            ["document", _] => self.way(of("folderId")),
            ["folder", _] => self.way(of("parentFolderId")),
            ["document-user", document, ..] | ["annotation", document, ..] => {
                self.need(format!("document#{document}"))
            }
            ["folder-user", folder, ..] => self.need(format!("folder#{folder}")),
            ["group", group, "user", user] => self
                .need(format!("group#{group}#group"))
                .or_else(|| self.need(format!("user#{user}")))
                .or_else(|| self.joined(user, group, item)),
            ["user", user] => self.listed_in_groups(user, item),
            ["recording", _] => self.need(format!("document#{}", of("documentId")?)),
            ["archived" | "comment-id", document, "id", thread, ..] => {
                self.need(format!("annotation#{document}#id#{thread}"))
            }
            ["link", ..] => self.linked(sort, item),
            _ => self.links(item),
        }
        .or_else(|| self.links(item))
    }

    /// The entry in the membership that a member of a group lacks.
    fn joined(&self, user: &str, group: &str, member: &Value) -> Option<String> {
        let entries = entries_of(self.items.get(&format!("user#{user}"))?);
        let is_twin = entries.get(group).is_some_and(|entry| {
            entry["M"]["given"] == member["given"] && entry["M"]["of"] == member["_in"]
        });
        (!is_twin).then(|| format!("an entry in user#{user}"))
    }

    /// The member of a group that an entry in a membership lacks.
    fn listed_in_groups(&self, user: &str, membership: &Value) -> Option<String> {
        let groups = entries_of(membership).into_keys();
        groups.map(|group| format!("group#{group}#user#{user}")).find_map(|row| self.need(row))
    }

    fn need(&self, sort: String) -> Option<String> {
        (!self.items.contains_key(&sort)).then_some(sort)
    }

    /// The folder that is missing between a folder and the top.
    fn way(&self, folder: Option<&str>) -> Option<String> {
        const MOST: usize = 64;
        let mut next = folder;
        let mut seen = BTreeSet::new();
        while let Some(folder) = next.filter(|it| *it != "root") {
            if !seen.insert(folder) || seen.len() > MOST {
                return Some("a way to the top".to_owned());
            }
            let sort = format!("folder#{folder}");
            match self.items.get(&sort) {
                Some(item) => next = item["parentFolderId"]["S"].as_str(),
                None => return Some(sort),
            }
        }
        None
    }

    /// The item of a link row, or the name of the row in it.
    fn linked(&self, sort: &str, item: &Value) -> Option<String> {
        let target = item["target"]["S"].as_str()?;
        let Some(found) = self.items.get(target) else { return Some(format!("target {target}")) };
        // The links of threads follow from their members.
        let lists = target.starts_with("annotation#") || target.starts_with("archived#");
        if target.starts_with("annotation#") {
            return self.linked_thread(sort, target, found);
        }
        (!lists && !links_in(found).iter().any(|it| it == sort))
            .then(|| format!("a mention in {target}"))
    }

    /// The mention in a thread that a link row is for, or the rows that are as well.
    fn linked_thread(&self, sort: &str, target: &str, thread: &Value) -> Option<String> {
        let mut parts = sort.split('#');
        let (user, head) = (parts.nth(1).unwrap_or_default(), parts.next().unwrap_or_default());
        if !thread.to_string().contains(user) {
            return Some(format!("a mention in {target}"));
        }
        let rows = self.items.range(format!("link#{user}#{head}#")..);
        let rows = rows.take_while(|(it, _)| it.starts_with(&format!("link#{user}#{head}#")));
        let alike = rows.filter(|(_, row)| row["target"]["S"].as_str() == Some(target)).count();
        (alike > 1 && head == "annotation").then(|| format!("a use: {alike} rows lead to {target}"))
    }

    /// A link row that an item lists.
    fn links(&self, item: &Value) -> Option<String> {
        links_in(item).into_iter().find_map(|link| self.need(link))
    }
}

/// The groups in a membership.
fn entries_of(membership: &Value) -> BTreeMap<String, Value> {
    let groups = membership["groups"]["M"].as_object().into_iter().flatten();
    groups.map(|(group, entry)| (group.clone(), entry.clone())).collect()
}

/// The sort keys of link rows that an item lists: for each head and tail, what stands between them.
fn links_in(item: &Value) -> Vec<String> {
    let packed = item["_links"]["M"].as_object().into_iter().flatten();
    let links = packed.flat_map(|(rest, ids)| {
        let (head, tail) = rest.split_once('#').unwrap_or((rest, ""));
        let ids = ids["L"].as_array().into_iter().flatten();
        ids.filter_map(|id| id["S"].as_str()).map(move |id| match tail {
            "" => format!("{head}#{id}"),
            tail => format!("{head}#{id}#{tail}"),
        })
    });
    links.collect()
}
