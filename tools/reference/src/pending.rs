//! Possible effects of a call in flight, at any moment until its answer.

use crate::{
    Actor, Asked, Call, Level, Refusal, User, calls,
    contents::needs,
    facts::{Implied, Pending, Tick, Token, Verdict, World},
    fading::place,
};

impl Pending {
    /// The outcomes if the call counts now. An end may be stamped with the time when its call
    /// began: what was given since then outlives it.
    pub(crate) fn outcomes(&self, world: &World) -> Vec<(World, Verdict)> {
        let Actor::Holder(tok) = self.asked.by else { return self.counted(world) };
        let slot = world.token(tok).cloned();
        let mut outcomes = self.counted(&world.with_token(tok, self.token.clone()));
        if self.allowed.is_some() && !self.is_outlived(world) {
            outcomes.extend(self.counted(&world.with_token(tok, self.allowed.clone())));
        }
        if self.is_mixed(world) {
            outcomes.push((world.begun(&self.asked.call), Ok(())));
            let allowed = self.token.clone().map(|token| Token { is_allowed: true, ..token });
            outcomes.extend(self.counted(&world.with_token(tok, allowed)));
        }
        outcomes.iter_mut().for_each(|(after, _)| *after = after.with_token(tok, slot.clone()));
        outcomes
    }

    /// Whether the rights of now allow it in its document of when it began, which has been deleted since:
    /// the rights in folders are read after the document.
    fn is_mixed(&self, world: &World) -> bool {
        let Some((at, need)) = needs(&self.asked.call).filter(|_| self.row.is_some()) else {
            return false;
        };
        let Some(token) = &self.token else { return false };
        let mut seen = world.clone();
        seen.doc_mut(at).row = self.row;
        self.is_outlived(world) && seen.allows(at, token.user, Some(token), need).is_ok()
    }

    /// Whether its document or organization has been deleted since it was allowed.
    fn is_outlived(&self, world: &World) -> bool {
        needs(&self.asked.call)
            .is_none_or(|(at, _)| world.org(at.0).since(Level::Document(at.1)) >= self.begun.0)
    }

    /// An end user speaks for nobody else.
    fn speaker(&self, named: User) -> User {
        self.token.as_ref().map_or(named, |token| token.user)
    }

    fn counted(&self, world: &World) -> Vec<(World, Verdict)> {
        let (tick, time) = self.begun;
        let asked = match &self.asked.call {
            Call::Grant(org, level, holder, role, Some(seconds)) => {
                let passed = world.now / 1_000 - time / 1_000;
                let seconds = Some(seconds.saturating_sub(passed));
                let call = Call::Grant(*org, *level, *holder, *role, seconds);
                Asked { by: self.asked.by, call }
            }
            _ => self.asked.clone(),
        };
        let mut outcomes = calls::outcomes(world, &asked);
        // A membership is stamped with the time at which its call began as well: a departure since
        // then ends it, and its row goes with the clean-up.
        if let Call::AddUser(org, Level::Organization, user, _) = &asked.call
            && world.org(*org).left.get(user).is_some_and(|left| *left > tick)
        {
            let mut after = world.begun(&asked.call);
            after.org_mut(*org).rights_mut(Level::Organization).leaving.insert(*user);
            outcomes.push((after, Ok(())));
        }
        // A resource that was deleted meanwhile takes along what the call had begun to write in it.
        if is_overtaken(world, &asked.call, tick) {
            outcomes.push((world.begun(&asked.call), Ok(())));
        }
        // A preference needs the organization when its call looks for it, and not any more when it is
        // written.
        if let Call::Preference(org, doc, user, inbox, mail) = &asked.call
            && world.org(*org).since > tick
        {
            let mut after = world.clone();
            after.prefer(*org, *doc, self.speaker(*user), [*inbox, *mail]);
            outcomes.push((after, Ok(())));
        }
        // The write that recorded a deleted organization again may be later than the end that the
        // call says.
        if let Call::DeleteOrganization(org) = &asked.call
            && !world.org(*org).there
            && world.org(*org).implied == Implied::Yes
        {
            let mut after = world.clone();
            after.org_mut(*org).implied = Implied::No;
            outcomes.push((after, Ok(())));
        }
        // The call needs the organization that it found, or none.
        if let Call::AddUser(org, Level::Organization, ..) = &asked.call
            && world.org(*org).since >= tick
        {
            outcomes.push((world.begun(&asked.call), Err(Refusal::Failed)));
        }
        if asked.call.is_end() && tick + 1 < world.tick {
            let mut early = world.clone();
            early.tick = tick;
            for (mut after, verdict) in calls::outcomes(&early, &asked) {
                after.tick = world.tick + 1;
                after.keep_given(world, tick);
                // A departure ends what is in the organization by its time.
                if let Call::RemoveUser(_, Level::Organization, _) = &asked.call {
                    let mut kept = after.clone();
                    kept.keep_members(world, tick);
                    kept.keep_preferences(world, tick);
                    outcomes.push((kept, verdict));
                }
                outcomes.push((after, verdict));
            }
        }
        outcomes
    }
}

/// Whether what a call writes in was deleted after it had begun.
fn is_overtaken(world: &World, call: &Call, begun: Tick) -> bool {
    match (call, place(call)) {
        (Call::JoinGroup(org, _), _) => world.org(*org).group.is_none(),
        (_, (Some(org), Some(level @ (Level::Document(_) | Level::Folder(_))))) => {
            world.org(org).since(level) > begun
        }
        _ => false,
    }
}
