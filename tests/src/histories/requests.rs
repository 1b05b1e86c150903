//! Calls as requests.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use reference::{At, By, Call, Holder, Level, Mark, Org, Visibility, Want, What};
use serde_json::{Value, json};

use super::names::{
    EDITOR, ENTRY, GROUP, access, at_level, doc, folder, org, person, resource, role, text, thread,
    user,
};

/// The operation and the data of a call; `now` is the time in milliseconds, `first` the number of
/// the first comment of the thread it names.
pub(super) fn request(call: &Call, now: u64, first: u64) -> (&'static str, Value) {
    match call {
        Call::AddOrganization(id) => {
            let added = json!({ "organizationId": org(*id) });
            ("organizations.add", json!({ "organizations": [added] }))
        }
        Call::DeleteOrganization(id) => {
            ("organizations.delete", json!({ "organizationIds": [org(*id)] }))
        }
        Call::DisableOrganization(id, disabled) => {
            let sent = json!({ "organizationIds": [org(*id)], "disabled": disabled });
            ("organizations.disable", sent)
        }
        Call::AddFolder(id, added, parent, own) => {
            let mut sent = json!({ "folderId": folder(*added), "folderName": "Folder" });
            if let Some(parent) = parent {
                sent["parentFolderId"] = json!(folder(*parent));
            }
            if let Some(own) = own {
                sent["accessType"] = json!(access(*own));
            }
            ("folders.add", json!({ "organizationId": org(*id), "folders": [sent] }))
        }
        Call::DeleteFolder(id, gone) => {
            let sent = json!({ "organizationId": org(*id), "folderId": folder(*gone) });
            ("folders.delete", sent)
        }
        Call::MoveFolder(id, moved, parent) => {
            let parent = parent.map_or("root".to_owned(), folder);
            let moved = json!({ "folderId": folder(*moved), "parentFolderId": parent });
            ("folders.update", json!({ "organizationId": org(*id), "folders": [moved] }))
        }
        Call::FolderAccess(id, of, own) => {
            let mut sent = json!({ "organizationId": org(*id), "folderIds": [folder(*of)] });
            match own {
                Some(own) => sent["accessType"] = json!(access(*own)),
                None => sent["inheritFromParent"] = json!(true),
            }
            ("folders.access_update", sent)
        }
        Call::AddGroup(id) => {
            let added = json!({ "groupId": GROUP, "groupName": "Team" });
            let sent = json!({ "organizationId": org(*id), "organizationUserGroups": [added] });
            ("user-groups.add", sent)
        }
        Call::DeleteGroup(id) => {
            let sent = json!({ "organizationId": org(*id), "organizationUserGroupIds": [GROUP] });
            ("user-groups.delete", sent)
        }
        Call::JoinGroup(id, member) => {
            ("user-groups.users_add", member_of_group(*id, user(*member)))
        }
        Call::LeaveGroup(id, member) => {
            ("user-groups.users_delete", member_of_group(*id, user(*member)))
        }
        Call::AddUser(id, level, added, own) => {
            let mut member = person(*added);
            if let Some(own) = own {
                member["accessRole"] = json!(role(*own));
            }
            ("users.add", with(at_level(*id, *level), "users", json!([member])))
        }
        Call::UpdateUser(id, level, of) => {
            let changed = json!({ "userId": user(*of), "color": format!("#{now}") });
            ("users.update", with(at_level(*id, *level), "users", json!([changed])))
        }
        Call::RemoveUser(id, level, gone) => {
            ("users.delete", with(at_level(*id, *level), "userIds", json!([user(*gone)])))
        }
        Call::Grant(id, level, to, given, seconds) => {
            let mut resource = resource(*id, *level);
            resource["accessRole"] = json!(role(*given));
            if let Some(seconds) = seconds {
                resource["expiresAt"] = json!(now / 1000 + seconds);
            }
            let permissions = json!({ "resources": [resource] });
            ("permissions.add", granted(*to, permissions))
        }
        Call::Revoke(id, level, from) => {
            let permissions = json!({ "resources": [resource(*id, *level)] });
            ("permissions.remove", revoked(*from, permissions))
        }
        Call::Issue(_, to, rights) => {
            let resource = |(id, level, given): &(Org, Level, reference::Role)| {
                with(resource(*id, *level), "accessRole", json!(role(*given)))
            };
            let resources: Vec<Value> = rights.iter().map(resource).collect();
            let properties = person(*to);
            let sent = json!({
                "userId": user(*to),
                "userProperties": { "name": properties["name"], "email": properties["email"] },
                "permissions": { "resources": resources },
            });
            ("users.generate_token", sent)
        }
        Call::ResetTokens => ("workspace.auth_token_reset", json!({})),
        Call::Erase(gone) => ("user-data.delete", json!({ "userIds": [user(*gone)] })),
        Call::Organizations => ("organizations.get", json!({})),
        Call::Rights(id) => {
            let folders = [0, 1].map(|it| folder(reference::Folder(it)));
            let documents = [0, 1, 2].map(|it| doc(reference::Doc(it)));
            let sent = json!({
                "organizationId": org(*id),
                "userIds": reference::User::ALL.map(user),
                "folderIds": folders,
                "documentIds": documents,
                "skipResourceExistenceValidation": true,
            });
            ("permissions.get", sent)
        }
        Call::Documents(id) => ("documents.get", json!({ "organizationId": org(*id) })),
        Call::Folders(id) => ("folders.get", json!({ "organizationId": org(*id) })),
        Call::Users(id, level) => ("users.get", at_level(*id, *level)),
        Call::Group(id) => ("user-groups.get", json!({ "organizationId": org(*id) })),
        Call::Activities(id) => ("activities.get", json!({ "organizationId": org(*id) })),
        Call::Export(id, of) => {
            ("user-data.get", json!({ "organizationId": org(*id), "userId": user(*of) }))
        }
        Call::Inbox(id, of, _) => {
            ("notifications.get", json!({ "organizationId": org(*id), "userId": user(*of) }))
        }
        Call::Outbox(..) => ("organizations.get", json!({})),
        Call::Preference(id, document, of, inbox, email) => {
            let mut config = json!({});
            for (channel, want) in [("inbox", inbox), ("email", email)] {
                if let Some(want) = want {
                    config[channel] = json!(wanted(*want));
                }
            }
            let mut sent = json!({
                "organizationId": org(*id), "userIds": [user(*of)], "config": config,
            });
            if let Some(document) = document {
                sent["documentIds"] = json!([doc(*document)]);
            }
            ("notifications.config_set", sent)
        }
        Call::Preferences(id, document, of) => {
            let mut sent = json!({ "organizationId": org(*id), "userId": user(*of) });
            match document {
                Some(document) => sent["documentIds"] = json!([doc(*document)]),
                None => sent["getOrganizationConfig"] = json!(true),
            }
            ("notifications.config_get", sent)
        }
        _ => in_document(call, first),
    }
}

/// A call that concerns one document.
fn in_document(call: &Call, first: u64) -> (&'static str, Value) {
    match call {
        Call::AddDocument(At(id, added), within) => {
            let added = json!({ "documentId": doc(*added), "documentName": "Document" });
            let mut sent = json!({ "organizationId": org(*id), "documents": [added] });
            if let Some(within) = within {
                sent["folderId"] = json!(folder(*within));
            }
            ("documents.add", sent)
        }
        Call::DeleteDocument(at) => ("documents.delete", documents(*at)),
        Call::DisableDocument(at, disabled) => {
            ("documents.disable", with(documents(*at), "disabled", json!(disabled)))
        }
        Call::MoveDocument(at, to) => {
            let to = to.map_or("root".to_owned(), folder);
            ("documents.move_documents", with(documents(*at), "folderId", json!(to)))
        }
        Call::DocumentAccess(at, own) => {
            ("documents.access_update", with(documents(*at), "accessType", json!(access(*own))))
        }
        Call::RenameDocument(At(id, renamed)) => {
            let renamed = json!({ "documentId": doc(*renamed), "documentName": "Renamed" });
            ("documents.update", json!({ "organizationId": org(*id), "documents": [renamed] }))
        }
        Call::Thread(at, id, visibility, by) => {
            let mut added = json!({ "annotationId": thread(*id), "commentData": [comment(by)] });
            match visibility {
                Visibility::Public => {}
                Visibility::Organization(named) => {
                    added["visibility"] =
                        json!({ "type": "organizationPrivate", "organizationId": org(*named) });
                }
                Visibility::Only(named) => {
                    added["visibility"] =
                        json!({ "type": "restricted", "userIds": [user(*named)] });
                }
            }
            ("comments.annotations_add", with(place(*at), "commentAnnotations", json!([added])))
        }
        Call::Comment(at, id, by) => {
            let sent = with(place(*at), "annotationId", json!(thread(*id)));
            ("comments.add", with(sent, "commentData", json!([comment(by)])))
        }
        Call::React(at, id, by) => {
            let sent = with(place(*at), "annotationId", json!(thread(*id)));
            let sent = with(sent, "commentId", json!(first));
            let sent = with(sent, "icon", json!("HEART_FACE"));
            ("comments.reactions_add", with(sent, "from", person(*by)))
        }
        Call::Assign(at, id, to, by) => {
            let sent = with(place(*at), "annotationIds", json!([thread(*id)]));
            let sent = with(sent, "triggerActivities", json!(true));
            let changed = json!({ "assignedTo": person(*to), "statusUpdatedByUserId": user(*by) });
            ("comments.annotations_update", with(sent, "updatedData", changed))
        }
        Call::DeleteThread(at, id) => {
            let sent = with(place(*at), "annotationIds", json!([thread(*id)]));
            ("comments.annotations_delete", sent)
        }
        Call::Presence(at, of) => {
            let present = json!({ "userId": user(*of), "status": "online" });
            ("presence.add", with(place(*at), "users", json!([present])))
        }
        Call::Live(at, mark, merge) => {
            let sent = with(place(*at), "liveStateDataId", json!(ENTRY));
            let sent = with(sent, "data", json!({ text(*mark): true }));
            ("live-state.broadcast", with(sent, "merge", json!(merge)))
        }
        Call::Append(at, mark) => {
            let sent = with(place(*at), "editorId", json!(EDITOR));
            let sent = with(sent, "type", json!("text"));
            ("editors.updates_add", with(sent, "updates", json!([update(*mark)])))
        }
        Call::Recording(at, by, mark) => {
            let added = json!({
                "annotationId": format!("recording-{}", mark.0),
                "recordingType": "audio",
                "displayName": text(*mark),
                "attachments": [{ "attachmentId": 1, "url": "https://example.com/a.mp3" }],
                "recordedTime": { "duration": 1000 },
                "from": person(*by),
            });
            ("recordings.add", with(place(*at), "recordings", json!([added])))
        }
        Call::Activity(at, by, about, mark) => {
            let added = json!({
                "id": format!("activity-{}", mark.0),
                "featureType": "custom",
                "actionType": "custom.done",
                "actionUser": person(*by),
                "targetEntityId": "target",
                "changes": { "assignee": { "from": null, "to": person(*about) } },
                "displayMessageTemplate": text(*mark),
            });
            ("activities.add", with(place(*at), "activities", json!([added])))
        }
        Call::Seen(at, id, by) => {
            let sent = with(place(*at), "annotationId", json!(thread(*id)));
            ("notifications.seen", with(sent, "userId", json!(user(*by))))
        }
        Call::Read(at, What::Threads) => ("comments.annotations_get", place(*at)),
        Call::Read(at, What::Live) => {
            ("live-state.get", with(place(*at), "liveStateDataId", json!(ENTRY)))
        }
        Call::Read(at, What::Editor) => {
            ("editors.get", with(place(*at), "editorId", json!(EDITOR)))
        }
        Call::Read(at, What::Presence) => ("presence.get", place(*at)),
        Call::Recordings(at) => ("recordings.get", place(*at)),
        _ => unreachable!("{call:?} names no document"),
    }
}

fn place(At(organization, document): At) -> Value {
    json!({ "organizationId": org(organization), "documentId": doc(document) })
}

fn documents(At(organization, document): At) -> Value {
    json!({ "organizationId": org(organization), "documentIds": [doc(document)] })
}

fn member_of_group(organization: Org, member: &str) -> Value {
    json!({
        "organizationId": org(organization),
        "organizationUserGroupId": GROUP,
        "userIds": [member],
    })
}

fn granted(to: Holder, permissions: Value) -> Value {
    match to {
        Holder::User(to) => json!({ "user": { "userId": user(to) }, "permissions": permissions }),
        Holder::Group => {
            json!({ "organizationUserGroupId": GROUP, "permissions": permissions })
        }
    }
}

fn revoked(from: Holder, permissions: Value) -> Value {
    match from {
        Holder::User(from) => json!({ "userId": user(from), "permissions": permissions }),
        Holder::Group => {
            json!({ "organizationUserGroupId": GROUP, "permissions": permissions })
        }
    }
}

fn with(mut data: Value, name: &str, value: Value) -> Value {
    data[name] = value;
    data
}

fn wanted(want: Want) -> &'static str {
    match want {
        Want::All => "ALL",
        Want::Mine => "MINE",
        Want::None => "NONE",
    }
}

/// A comment as it is sent.
fn comment(by: &By) -> Value {
    const WORDS: usize = 500;
    let mut words = text(by.mark);
    let mut comment = json!({ "from": person(by.from) });
    match by.mention {
        Some(Holder::User(named)) => {
            words.push_str(&format!(" {{{{{}}}}}", user(named)));
            let contact = person(named);
            comment["taggedUserContacts"] =
                json!([{ "userId": contact["userId"], "contact": contact }]);
        }
        Some(Holder::Group) => {
            words.push_str(&format!(" {{{{{GROUP}}}}}"));
            comment["taggedUserContacts"] =
                json!([{ "userId": GROUP, "contact": { "userId": GROUP } }]);
        }
        None => {}
    }
    if by.long {
        words.push_str(&" words".repeat(WORDS));
    }
    comment["commentText"] = json!(words);
    comment["triggerNotification"] = json!(by.notify);
    comment["triggerActivities"] = json!(by.activity);
    comment
}

/// An update of Yjs by a client of its own, which inserts a mark at the start of the text.
fn update(Mark(number): Mark) -> String {
    let inserted = format!("{} ", text(Mark(number)));
    // One client with one struct, from its clock 0 on: a string in the shared type `content`.
    let mut bytes = vec![1, 1];
    let mut client = u32::from(number) + 1;
    while client >= 0x80 {
        bytes.push((client & 0x7f) as u8 | 0x80);
        client >>= 7;
    }
    bytes.extend([client as u8, 0, 4, 1, 7]);
    bytes.extend(b"content");
    bytes.push(inserted.len() as u8);
    bytes.extend(inserted.as_bytes());
    // Nothing is deleted.
    bytes.push(0);
    STANDARD.encode(bytes)
}
