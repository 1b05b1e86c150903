//! Effects of calls on threads, and the answers to end users.

use std::collections::BTreeSet;

use crate::{
    Actor, Asked, At, By, Call, Doc, Holder, Level, Org, Refusal, Role, ThreadNo, User, Visibility,
    calls::strict,
    decide::Decision,
    facts::{Comment, Outcomes, Thread, Token, Verdict, World, one},
    notices::named_in,
};
use Refusal::{Denied, Failed, NotFound};

pub(crate) fn add_thread(
    world: &mut World,
    at: At,
    no: ThreadNo,
    visibility: Visibility,
    by: &By,
    from: User,
    actor: Actor,
) -> Verdict {
    let serial = world.tick;
    let slot = world.doc_mut(at);
    if slot.row.is_none() {
        return Err(Failed);
    }
    if slot.threads.contains_key(&no) {
        return Err(Failed);
    }
    let thread = Thread {
        serial,
        author: Some(from),
        visibility: Some(visibility),
        comments: Vec::new(),
        assignee: None,
        updated_by: None,
        vouched: BTreeSet::new(),
        mentioned: BTreeSet::new(),
        acted: Default::default(),
        seen: Default::default(),
        erased: false,
    };
    slot.threads.insert(no, thread);
    comment(world, at, no, by, from, actor)
}

pub(crate) fn comment(
    world: &mut World,
    at: At,
    no: ThreadNo,
    by: &By,
    from: User,
    actor: Actor,
) -> Verdict {
    let (tick, now) = (world.tick, world.now);
    let Some(thread) = world.doc_mut(at).threads.get_mut(&no) else { return Err(NotFound) };
    thread.comments.push(Comment { mark: by.mark, author: from, long: by.long });
    thread.acted.insert(from, (tick, now));
    thread.seen.insert(from, tick);
    // A group names its members in this comment alone.
    if let Some(Holder::User(user)) = by.mention {
        thread.mentioned.insert(user);
        if actor == Actor::Server {
            thread.vouched.insert(user);
        }
    }
    if by.activity {
        let people: Vec<User> = named_in(thread).into_iter().chain([from]).collect();
        world.org_mut(at.0).named.extend(people);
    }
    if by.notify {
        world.happened(at, no, by, from, actor);
    }
    Ok(())
}

pub(crate) fn react(mut world: World, at: At, no: ThreadNo, from: User) -> Outcomes {
    let (tick, now) = (world.tick, world.now);
    let unchanged = world.clone();
    let Some(thread) = world.doc_mut(at).threads.get_mut(&no) else {
        return one(world, Err(NotFound));
    };
    let (is_empty, is_erased) = (thread.comments.is_empty(), thread.erased);
    thread.acted.insert(from, (tick, now));
    thread.seen.insert(from, tick);
    match (is_empty, is_erased) {
        (true, _) => one(unchanged, Err(NotFound)),
        (false, false) => one(world, Ok(())),
        (false, true) => vec![(world, Ok(())), (unchanged, Err(NotFound))],
    }
}

/// The document that a call of an end user is about, and the role that it needs there.
pub(crate) fn needs(call: &Call) -> Option<(At, Role)> {
    Some(match call {
        Call::Presence(at, _) | Call::Seen(at, ..) => (*at, Role::Viewer),
        Call::Thread(at, ..) | Call::Comment(at, ..) | Call::React(at, ..) => {
            (*at, Role::Commenter)
        }
        Call::Live(at, ..) | Call::Append(at, _) => (*at, Role::Editor),
        _ => return None,
    })
}

/// The answers to an end user: the same in each world, whatever clean-up has done.
pub(crate) fn by_user(world: &World, asked: &Asked, token: &Token) -> Outcomes {
    let mut world = world.clone();
    let user = token.user;
    let (at, need) = match &asked.call {
        Call::Preference(org, doc, _, inbox, mail) => {
            let level = doc.map_or(Level::Organization, Level::Document);
            let set = strict(&world, &Call::Preference(*org, *doc, user, *inbox, *mail));
            return match world.decide(*org, level, user, Some(token)) {
                Decision::Open(_) => set,
                decision => {
                    let mut outcomes =
                        vec![(world.clone(), Err(NotFound)), (world.clone(), Err(Denied))];
                    // A right anywhere in the organization may do.
                    if doc.is_none() && matches!(decision, Decision::Closed(_)) {
                        outcomes.extend(set);
                    }
                    outcomes
                }
            };
        }
        call => match needs(call) {
            Some(needed) => needed,
            None => return one(world, Ok(())),
        },
    };
    if let Err(refusal) = world.allows(at, user, Some(token), need) {
        return one(world, Err(refusal));
    }
    let visible = |world: &World, no: &ThreadNo| {
        let thread = world.doc(at).threads.get(no);
        thread.is_some_and(|thread| world.sees(thread, user, Some(token)))
    };
    let verdict = match &asked.call {
        Call::Thread(_, no, visibility, by) => {
            add_thread(&mut world, at, *no, *visibility, by, user, asked.by)
        }
        Call::Comment(_, no, _) | Call::React(_, no, _) | Call::Seen(_, no, _)
            if !visible(&world, no) =>
        {
            Err(NotFound)
        }
        Call::Comment(_, no, by) => comment(&mut world, at, *no, by, user, asked.by),
        Call::React(_, no, _) => return react(world, at, *no, user),
        Call::Seen(_, no, _) => return strict(&world, &Call::Seen(at, *no, user)),
        Call::Presence(..) => return strict(&world, &Call::Presence(at, user)),
        other => return strict(&world, other),
    };
    one(world, verdict)
}

impl World {
    /// A token as it is where a call of its holder has been allowed.
    pub(crate) fn allowed(&self, call: &Call, token: &Token) -> Option<Token> {
        let (at, need) = needs(call)?;
        self.allows(at, token.user, Some(token), need).ok()?;
        Some(Token { is_allowed: true, ..token.clone() })
    }

    /// Whether an end user is shown the user's own preference: for a document that the user may read,
    /// or in an organization that is not disabled.
    pub(crate) fn shows_preferences(&self, org: Org, doc: Option<Doc>, token: &Token) -> Verdict {
        let user = token.user;
        match doc {
            Some(doc) => self.allows(At(org, doc), user, Some(token), Role::Viewer),
            None if self.org(org).disabled => Err(Denied),
            None => Ok(()),
        }
    }

    /// Whether the decision allows a call that needs a role.
    pub(crate) fn allows(&self, at: At, user: User, token: Option<&Token>, need: Role) -> Verdict {
        if token.is_some_and(|token| token.is_allowed) {
            return Ok(());
        }
        match self.decide(at.0, Level::Document(at.1), user, token) {
            Decision::Absent | Decision::Closed(_) | Decision::LockedOut(false) => Err(NotFound),
            Decision::LockedOut(true) => Err(Denied),
            Decision::Open(open) if open.role < need => Err(Denied),
            Decision::Open(_) => Ok(()),
        }
    }
}
