//! All families of functions: the list of operations and workers for tools and tests, and the
//! access list of each family. A new family is added here once; its operations list themselves.

mod policy;

pub use policy::{Resource, Statement, policy, sends_to};
use service::{
    Access::{self, AdminToken, Index, Post, Send, SendMail, Table},
    Family, Queue, Table as Stored,
    Verb::{
        BatchGetItem, BatchWriteItem, ConditionCheckItem, DeleteItem, GetItem, PartiQLInsert,
        PartiQLUpdate, PutItem, Query, Scan, UpdateItem,
    },
};

/// The index of callers' data by container.
const RESOURCES: Access = Index(Stored::Resources, "GSI1");
/// The index of pending work by due time.
const DUE: Access = Index(Stored::Schedule, "due");
/// The same per tenant, for testing keys.
const DUE_OF_TENANT: Access = Index(Stored::Schedule, "clock");

/// The index of callers' data by kind and time.
const BY_KIND: Access = Index(Stored::Resources, "GSI2");

/// The index of callers' data by creator, also used for other lists.
const BY_ACTOR: Access = Index(Stored::Resources, "GSI3");

/// The index of callers' data by target.
const BY_TARGET: Access = Index(Stored::Resources, "GSI4");

/// Stored replies of calls with an `Idempotency-Key`.
const NAMED_CALLS: Access = Table(Stored::Realtime, &[PutItem]);

/// The memory size of the functions of a family, if it is not the default; `cargo run -p tests
/// --bin memory` prints the usage.
pub fn megabytes(family: &str) -> Option<u32> {
    match family {
        // An editor of maximum size takes 170 MB when it is read; a batch reads several.
        "editors" | "deliveries" | "live" => Some(1024),
        // Ten concurrent messages, each with its threads; or a page of threads.
        "comments" | "emails" | "notifications" | "user-data" => Some(512),
        _ => None,
    }
}

/// All families, by name. `access` lists the verbs of its handlers in the store: a transaction
/// needs the verbs of its steps. `GetItem` is for the admission of every call and job.
pub fn families() -> Vec<Family> {
    vec![
        Family {
            name: "activities",
            operations: activities::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[BatchGetItem, GetItem, PartiQLUpdate, PutItem]),
                RESOURCES,
                BY_KIND,
                BY_ACTOR,
                BY_TARGET,
                NAMED_CALLS,
            ],
        },
        Family {
            name: "agents",
            operations: agents::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[
                        BatchGetItem,
                        BatchWriteItem,
                        DeleteItem,
                        GetItem,
                        PutItem,
                        Query,
                        UpdateItem,
                    ],
                ),
                NAMED_CALLS,
            ],
        },
        Family {
            name: "cleanup",
            operations: vec![],
            workers: cleanup::workers(),
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[BatchGetItem, DeleteItem, GetItem, PutItem, Query]),
                RESOURCES,
                BY_KIND,
                BY_TARGET,
                Table(Stored::Realtime, &[DeleteItem, Query]),
                Table(Stored::Crdt, &[BatchGetItem, DeleteItem, Query]),
                Table(Stored::Schedule, &[PutItem]),
                Send(Queue::Cleanup),
            ],
        },
        Family {
            name: "comments",
            operations: comments::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[
                        BatchGetItem,
                        BatchWriteItem,
                        DeleteItem,
                        GetItem,
                        PartiQLInsert,
                        PartiQLUpdate,
                        PutItem,
                        Query,
                    ],
                ),
                RESOURCES,
                BY_KIND,
                BY_TARGET,
                NAMED_CALLS,
            ],
        },
        Family {
            name: "configuration",
            operations: configuration::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[Table(Stored::Resources, &[GetItem, PutItem]), NAMED_CALLS],
        },
        Family {
            name: "deliveries",
            operations: deliveries::operations(),
            workers: deliveries::workers(),
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem, Query]),
                Table(Stored::Events, &[BatchGetItem, GetItem, PutItem, Query, UpdateItem]),
                Table(Stored::Crdt, &[BatchGetItem, GetItem, Query]),
                Table(Stored::Schedule, &[BatchGetItem, GetItem, PutItem, Query]),
                Send(Queue::Deliveries),
                NAMED_CALLS,
            ],
        },
        Family {
            name: "documents",
            operations: documents::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                // The editors of a deleted document, and their number.
                Table(Stored::Crdt, &[BatchGetItem, PutItem, Query, UpdateItem]),
                Table(
                    Stored::Resources,
                    &[
                        BatchGetItem,
                        ConditionCheckItem,
                        GetItem,
                        PartiQLInsert,
                        PartiQLUpdate,
                        PutItem,
                        Query,
                        UpdateItem,
                    ],
                ),
                RESOURCES,
                NAMED_CALLS,
            ],
        },
        Family {
            name: "editors",
            operations: editors::operations(),
            workers: editors::workers(),
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem]),
                Table(
                    Stored::Crdt,
                    &[BatchGetItem, BatchWriteItem, GetItem, PutItem, Query, UpdateItem],
                ),
                Table(Stored::Schedule, &[PutItem]),
                Send(Queue::Compaction),
                // Named calls, and who has announced a client.
                Table(Stored::Realtime, &[PutItem, Query]),
            ],
        },
        Family {
            name: "emails",
            operations: vec![],
            workers: emails::workers(),
            pages: emails::pages(),
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[BatchGetItem, GetItem, UpdateItem]),
                RESOURCES,
                Table(Stored::Schedule, &[BatchGetItem, GetItem, PutItem, UpdateItem]),
                Send(Queue::Emails),
                SendMail,
            ],
        },
        Family {
            name: "folders",
            operations: folders::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[
                        BatchGetItem,
                        ConditionCheckItem,
                        GetItem,
                        PartiQLInsert,
                        PartiQLUpdate,
                        PutItem,
                        Query,
                        UpdateItem,
                    ],
                ),
                RESOURCES,
                NAMED_CALLS,
            ],
        },
        Family {
            name: "journal",
            operations: vec![],
            workers: journal::workers(),
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[BatchGetItem, GetItem, Query]),
                // Counters, and entries.
                Table(Stored::Events, &[BatchGetItem, PutItem, UpdateItem]),
                Table(Stored::Schedule, &[BatchWriteItem, GetItem, PutItem, UpdateItem]),
                DUE_OF_TENANT,
                Send(Queue::JournalRetry),
                Send(Queue::Cleanup),
                Send(Queue::Compaction),
                Send(Queue::Erasure),
                Send(Queue::Deliveries),
                Send(Queue::Notifications),
                Send(Queue::Emails),
                Send(Queue::Live),
            ],
        },
        Family {
            name: "live",
            operations: vec![],
            workers: live::workers(),
            pages: vec![],
            sockets: live::sockets(),
            access: &[
                Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem]),
                // The last number of a document, and the end of its subscriptions.
                Table(Stored::Events, &[GetItem, UpdateItem]),
                Table(
                    Stored::Realtime,
                    &[
                        BatchGetItem,
                        BatchWriteItem,
                        DeleteItem,
                        GetItem,
                        PutItem,
                        Query,
                        UpdateItem,
                    ],
                ),
                Table(
                    Stored::Crdt,
                    &[BatchGetItem, BatchWriteItem, GetItem, PutItem, Query, UpdateItem],
                ),
                Send(Queue::Live),
                Post,
            ],
        },
        Family {
            name: "live-state",
            operations: live_state::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem]),
                Table(Stored::Realtime, &[BatchWriteItem, GetItem, PutItem, Query]),
            ],
        },
        Family {
            name: "notifications",
            operations: notifications::operations(),
            workers: notifications::workers(),
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[
                        BatchGetItem,
                        BatchWriteItem,
                        DeleteItem,
                        GetItem,
                        PartiQLInsert,
                        PartiQLUpdate,
                        PutItem,
                        Query,
                        UpdateItem,
                    ],
                ),
                RESOURCES,
                BY_KIND,
                BY_ACTOR,
                BY_TARGET,
                Table(Stored::Events, &[GetItem, Query]),
                Table(Stored::Schedule, &[BatchGetItem, DeleteItem, GetItem, PutItem]),
                Send(Queue::Emails),
                Send(Queue::Live),
                Send(Queue::Notifications),
                // Whether users are connected, and stored replies of calls with an
                // `Idempotency-Key`.
                Table(Stored::Realtime, &[GetItem, PutItem]),
            ],
        },
        Family {
            name: "operator",
            operations: operator::operations(),
            workers: operator::workers(),
            pages: vec![],
            sockets: vec![],
            access: &[
                // Resealing all secrets is a scan, as is the search for lost events.
                Table(Stored::Resources, &[GetItem, PutItem, Query, Scan]),
                // Counters and entries of lost events.
                Table(Stored::Events, &[BatchGetItem, PutItem, UpdateItem]),
                Send(Queue::JournalRetry),
                NAMED_CALLS,
                AdminToken,
            ],
        },
        Family {
            name: "organizations",
            operations: organizations::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[BatchGetItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem, Query],
                ),
                NAMED_CALLS,
            ],
        },
        Family {
            name: "permissions",
            operations: permissions::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[BatchGetItem, BatchWriteItem, GetItem, PartiQLInsert, PutItem, Query],
                ),
                NAMED_CALLS,
            ],
        },
        Family {
            name: "presence",
            operations: presence::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem]),
                Table(
                    Stored::Realtime,
                    &[
                        BatchGetItem,
                        BatchWriteItem,
                        DeleteItem,
                        GetItem,
                        PartiQLInsert,
                        PartiQLUpdate,
                        PutItem,
                        Query,
                    ],
                ),
            ],
        },
        Family {
            name: "recordings",
            operations: recordings::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[BatchGetItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem],
                ),
                RESOURCES,
                BY_KIND,
                NAMED_CALLS,
            ],
        },
        Family {
            name: "schedule",
            operations: schedule::operations(),
            workers: schedule::workers(),
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[GetItem, PutItem]),
                Table(Stored::Schedule, &[BatchWriteItem, UpdateItem]),
                DUE,
                Send(Queue::Cleanup),
                Send(Queue::Compaction),
                Send(Queue::Deliveries),
                Send(Queue::Emails),
                Send(Queue::Notifications),
                NAMED_CALLS,
            ],
        },
        Family {
            name: "user-data",
            operations: user_data::operations(),
            workers: user_data::workers(),
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[
                        BatchGetItem,
                        BatchWriteItem,
                        DeleteItem,
                        GetItem,
                        PartiQLUpdate,
                        PutItem,
                        Query,
                        UpdateItem,
                    ],
                ),
                RESOURCES,
                BY_ACTOR,
                BY_TARGET,
                Table(Stored::Realtime, &[DeleteItem, PutItem, Query]),
                Table(Stored::Crdt, &[Query, UpdateItem]),
                Table(
                    Stored::Schedule,
                    &[BatchGetItem, BatchWriteItem, DeleteItem, GetItem, Query, UpdateItem],
                ),
                Table(Stored::Events, &[PutItem, Query, UpdateItem]),
                Send(Queue::Erasure),
            ],
        },
        Family {
            name: "user-groups",
            operations: user_groups::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[BatchWriteItem, ConditionCheckItem, GetItem, PutItem, Query, UpdateItem],
                ),
                NAMED_CALLS,
            ],
        },
        Family {
            name: "users",
            operations: users::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[BatchGetItem, GetItem, PartiQLInsert, PartiQLUpdate, PutItem, Query],
                ),
                RESOURCES,
                NAMED_CALLS,
            ],
        },
        Family {
            name: "webhook-endpoints",
            operations: webhook_endpoints::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(
                    Stored::Resources,
                    &[BatchGetItem, DeleteItem, GetItem, PutItem, Query, UpdateItem],
                ),
                Table(Stored::Schedule, &[DeleteItem, UpdateItem]),
                NAMED_CALLS,
            ],
        },
        Family {
            name: "workspace",
            operations: workspace::operations(),
            workers: vec![],
            pages: vec![],
            sockets: vec![],
            access: &[
                Table(Stored::Resources, &[BatchGetItem, GetItem, PutItem, UpdateItem]),
                RESOURCES,
                NAMED_CALLS,
            ],
        },
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use service::Spec;

    use super::families;

    fn specs() -> Vec<Spec> {
        families()
            .into_iter()
            .flat_map(|family| family.operations)
            .map(|route| route.spec)
            .collect()
    }

    /// `/v2/auth/generate_token`: a version, then words of small letters.
    fn is_path(path: &str) -> bool {
        let mut segments = path.split('/');
        segments.next() == Some("")
            && matches!(segments.next(), Some("v1" | "v2"))
            && segments.clone().next().is_some()
            && segments.all(|word| {
                !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            })
    }

    #[test]
    fn a_path_has_a_version_and_words() {
        assert!(is_path("/v2/auth/generate_token") && is_path("/v1/x"));
        for path in ["/v3/x", "/v2", "/v2/", "/v2/x/", "v2/x", "/v2/a-b", "/v2/A", "/v2//x", ""] {
            assert!(!is_path(path), "{path}");
        }
    }

    #[test]
    fn every_name_is_its_own_and_begins_with_its_family() {
        let mut binaries = BTreeSet::new();
        for family in families() {
            let operations = family.operations.iter().map(|route| route.spec.name);
            for name in operations.chain(family.workers.iter().map(|worker| worker.name)) {
                let module = name.strip_prefix(family.name).and_then(|rest| rest.strip_prefix('.'));
                assert!(module.is_some_and(|module| !module.is_empty()), "{name}");
                assert!(binaries.insert(name.replace(['.', '_'], "-")), "{name}");
            }
        }
    }

    #[test]
    fn families_are_listed_by_name_and_once() {
        let names: Vec<&str> = families().iter().map(|family| family.name).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    }

    #[test]
    fn every_path_is_well_formed_and_belongs_to_one_operation() {
        let mut paths = BTreeSet::new();
        for spec in specs() {
            assert!(!spec.paths.is_empty(), "{}", spec.name);
            for path in spec.paths {
                assert!(is_path(path), "{path}");
                assert!(paths.insert(*path), "{path} leads to two operations");
            }
        }
    }

    #[test]
    fn newer_paths_come_first() {
        for spec in specs() {
            let versions: Vec<&str> = spec.paths.iter().map(|path| &path[..3]).collect();
            assert!(versions.is_sorted_by(|a, b| a >= b), "{:?}", spec.paths);
        }
    }

    #[test]
    fn the_same_words_have_the_same_level_in_both_versions() {
        let mut levels = BTreeMap::new();
        for spec in specs() {
            for path in spec.paths {
                assert_eq!(*levels.entry(&path[3..]).or_insert(spec.level), spec.level, "{path}");
            }
        }
    }

    #[test]
    fn every_summary_is_a_sentence() {
        for spec in specs() {
            assert!(spec.summary.ends_with('.') && spec.summary.len() < 120, "{}", spec.name);
        }
    }

    #[test]
    fn access_names_each_table_once_and_its_verbs_in_order() {
        for family in families() {
            let mut seen = BTreeSet::new();
            for access in family.access {
                let service::Access::Table(table, verbs) = access else { continue };
                assert!(seen.insert(*table), "{}: {table:?} twice", family.name);
                assert!(verbs.is_sorted_by(|a, b| a < b), "{}: {verbs:?}", family.name);
            }
        }
    }
}
