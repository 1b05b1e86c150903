//! Effects of calls on containers, people and tokens.

use crate::{
    Access, At, Folder, Level, Mutant, Org, Refusal, Role, Tok, User,
    facts::{DocumentRow, FolderRow, Implied, Organization, Outcomes, Token, Verdict, World, one},
    people::end,
};
use Refusal::{Conflict, Denied, Failed, NotFound};

pub(crate) fn delete_organization(mut world: World, org: Org) -> Outcomes {
    let old = world.org(org).clone();
    let unchanged = world.clone();
    let tick = world.tick;
    let earlier = old.before.clone().or_else(|| old.hidden.clone());
    let before = Organization { before: earlier, hidden: None, ..old.clone() };
    // A call in flight may record it again, whatever it is answered.
    let mut in_flight = world.pending.iter().map(|pending| pending.asked.call.org());
    let is_recorded = in_flight.any(|named| named == Some(org));
    let implied = if is_recorded { Implied::Maybe } else { Implied::No };
    *world.org_mut(org) = Organization {
        since: tick,
        implied,
        before: Some(Box::new(before)),
        ..Organization::default()
    };
    world.events.retain(|event| event.at.0 != org);
    match (old.there, old.implied) {
        (true, _) => one(world, Ok(())),
        (false, Implied::No) => one(unchanged, Err(NotFound)),
        (false, _) => vec![(world, Ok(())), (unchanged, Err(NotFound))],
    }
}

pub(crate) fn add_folder(
    organization: &mut Organization,
    folder: Folder,
    parent: Option<Folder>,
    access: Option<Access>,
) -> Verdict {
    let is_whole = |parent: Folder| organization.is_there(Level::Folder(parent));
    if !organization.there {
        return Err(NotFound);
    }
    match (organization.is_there(Level::Folder(folder)), parent.is_none_or(is_whole)) {
        (true, true) => return Err(Conflict),
        (true, false) => return Err(Failed),
        (false, false) => return Err(NotFound),
        (false, true) => {}
    }
    organization.forget_below(folder);
    organization.folder_mut(folder).row = Some(FolderRow { parent, access });
    (organization.folder_mut(folder).lost, organization.folder_mut(folder).ghost) = (None, None);
    Ok(())
}

/// Adds or moves a document.
pub(crate) fn place_document(
    world: &mut World,
    at: At,
    folder: Option<Folder>,
    add: bool,
) -> Verdict {
    let asks_nearest = world.is(Mutant::PlacingAsksNearest);
    let organization = world.org_mut(at.0);
    let is_whole = |folder: Folder| {
        let slot = organization.folder(folder);
        slot.row.is_some() || asks_nearest && slot.faded.is_some()
    };
    let can_place = folder.is_none_or(is_whole);
    if add && !organization.there {
        return Err(NotFound);
    }
    let slot = organization.doc_mut(at.1);
    match &mut slot.row {
        Some(_) if add && !can_place => return Err(Failed),
        Some(_) if add => return Err(Conflict),
        None if !add => return Err(NotFound),
        _ if !can_place => return Err(NotFound),
        Some(row) => row.folder = folder,
        None => {
            slot.row = Some(DocumentRow { folder, ..DocumentRow::default() });
            (slot.faded, slot.lost, slot.ghost) = (None, None, None);
        }
    }
    Ok(())
}

pub(crate) fn change(world: &mut World, at: At, change: impl FnOnce(&mut DocumentRow)) -> Verdict {
    match &mut world.doc_mut(at).row {
        Some(row) => {
            change(row);
            Ok(())
        }
        None => Err(NotFound),
    }
}

pub(crate) fn remove_user(mut world: World, org: Org, level: Level, user: User) -> Outcomes {
    let said = world.org(org).rights(level).users.get(&user);
    let is_member = said.is_some_and(|said| said.member.is_some());
    let verdict = if is_member { Ok(()) } else { Err(Failed) };
    let rights = world.org(org).rights(level);
    let earlier = world.org(org).gone().chain(world.org(org).hidden.as_deref());
    let was_member = earlier.into_iter().any(|before| {
        let said = before.rights(level).users.get(&user);
        said.is_some_and(|said| said.member.is_some())
    });
    // The clean-up of a departure, or of what was deleted, may not have reached the membership.
    let may_be = was_member || rights.leaving.contains(&user) || rights.outlived.contains(&user);
    world.record_if_missing(org);
    let unchanged = world.clone();
    if level == Level::Organization {
        if !is_member && world.is(Mutant::OnlyMembersDepart) {
            return one(unchanged, verdict);
        }
        world.depart(org, user);
    } else {
        let tick = world.tick;
        end(world.org_mut(org).rights_mut(level), user, tick);
    }
    let mut outcomes = one(world, verdict);
    if may_be {
        outcomes.push((outcomes[0].0.clone(), Ok(())));
    }
    if level != Level::Organization && !is_member {
        // The contract says nothing of a user who is not at the level.
        outcomes.push((unchanged, verdict));
    }
    outcomes
}

pub(crate) fn issue(
    mut world: World,
    tok: Tok,
    user: User,
    resources: &[(Org, Level, Role)],
) -> Outcomes {
    let is_disabled = |(org, level, _): &(Org, Level, Role)| {
        let organization = world.org(*org);
        let row = match level {
            Level::Document(doc) => organization.doc(*doc).row.unwrap_or_default(),
            _ => DocumentRow::default(),
        };
        organization.disabled || row.disabled
    };
    let may_be = |(org, level, _): &(Org, Level, Role)| {
        let organization = world.org(*org);
        let faded = match level {
            Level::Document(doc) => {
                let slot = organization.doc(*doc);
                slot.faded.as_ref().or(slot.lost.as_ref())
            }
            _ => None,
        };
        organization.before.is_some()
            || faded.is_some_and(|faded| faded.row.is_some_and(|row| row.disabled))
    };
    let is_refused = resources.iter().any(is_disabled);
    let maybe_refused = resources.iter().any(may_be);
    let unchanged = world.clone();
    let rights = resources.iter().map(|(org, level, role)| ((*org, *level), *role)).collect();
    let token = Token { user, issued: world.tick, at: world.now, rights, is_allowed: false };
    world.tokens[usize::from(tok.0 % 3)] = Some(token);
    match (is_refused, maybe_refused) {
        (true, _) => one(unchanged, Err(Denied)),
        (false, false) => one(world, Ok(())),
        (false, true) => vec![(world, Ok(())), (unchanged, Err(Denied))],
    }
}
