//! `rights::decide`, on rows that no clean-up has reached, against the model of the contract.
//!
//! The rows here are those of the service, with times; the model has objects, without. Both follow
//! the same calls.

use std::collections::BTreeMap;

use model::{
    GroupId, Millis,
    life::{Life, Stand},
    permissions::{AccessRole, AccessType},
    rights::{
        By, Decision, DocumentFacts, FolderFacts, Given, GroupRight, Holders, Joined, LevelRights,
        OrganizationFacts, Person, Rules, Setting, Source, Subject, Target, Token, Top, Way,
        decide,
    },
};
use reference::{
    Access, Actor, Answer, Asked, At, Call, Decided, Doc, Folder, Generator, Holder, KeyKind,
    Level, Mutant, Org, Refusal, Role, Tok, User, Worlds,
};
use simulator::Dice;

const START: Millis = 1_700_000_000_000;
const ORG: Org = Org(0);

/// A folder or document.
#[derive(Clone, Debug)]
struct Row {
    life: Life,
    folder: Option<Folder>,
    placed: Life,
    access: Option<Access>,
    disabled: bool,
    holders: Holders,
}

/// One organization, as the tables have it.
#[derive(Debug)]
struct Rows {
    kind: KeyKind,
    now: Millis,
    organization: Stand<OrganizationFacts>,
    containers: BTreeMap<Level, Row>,
    /// Tombstones: when the last one of this id ended.
    ends: BTreeMap<Level, Life>,
    said: BTreeMap<(User, Level), LevelRights>,
    left: BTreeMap<User, Millis>,
    group: Stand<()>,
    joined: BTreeMap<User, Joined>,
    tokens: [Option<(User, Token)>; 3],
}

fn group_id() -> GroupId {
    "g".to_owned().try_into().expect("an id")
}

fn level_id(level: Level) -> model::permissions::Level {
    match level {
        Level::Organization => model::permissions::Level::Organization,
        Level::Folder(Folder(n)) => {
            model::permissions::Level::Folder(format!("f{n}").try_into().expect("an id"))
        }
        Level::Document(Doc(n)) => {
            model::permissions::Level::Document(format!("d{n}").try_into().expect("an id"))
        }
    }
}

fn role(role: Role) -> AccessRole {
    match role {
        Role::Viewer => AccessRole::Viewer,
        Role::Commenter => AccessRole::Commenter,
        Role::Editor => AccessRole::Editor,
    }
}

fn access(access: Access) -> AccessType {
    match access {
        Access::Public => AccessType::Public,
        Access::OrganizationPrivate => AccessType::OrganizationPrivate,
        Access::Restricted => AccessType::Restricted,
    }
}

fn setting(own: Option<Access>) -> Setting {
    own.map_or(Setting::Inherited, |own| Setting::Own(access(own)))
}

const NOT_FOUND: Answer = Answer::Refused(Refusal::NotFound);
const FAILED: Answer = Answer::Refused(Refusal::Failed);

impl Rows {
    fn new(kind: KeyKind) -> Self {
        Self {
            kind,
            now: START,
            organization: Stand::Absent(Life::FIRST),
            containers: BTreeMap::new(),
            ends: BTreeMap::new(),
            said: BTreeMap::new(),
            left: BTreeMap::new(),
            group: Stand::Absent(Life::FIRST),
            joined: BTreeMap::new(),
            tokens: [const { None }; 3],
        }
    }

    fn is_there(&self) -> bool {
        matches!(self.organization, Stand::There(..))
    }

    fn end(&self, level: Level) -> Life {
        self.ends.get(&level).copied().unwrap_or(Life::FIRST)
    }

    fn way(&self, nearest: Option<Folder>) -> Way {
        let mut folders = Vec::new();
        let mut next = nearest;
        while let Some(folder) = next {
            let level = Level::Folder(folder);
            let Some(row) = self.containers.get(&level) else {
                return Way { folders, top: Top::Missing(self.end(level)) };
            };
            let model::permissions::Level::Folder(id) = level_id(level) else { unreachable!() };
            folders.push(FolderFacts {
                id,
                life: row.life,
                setting: setting(row.access),
                placed: row.placed,
                holders: row.holders.clone(),
            });
            next = row.folder;
        }
        Way { folders, top: Top::Reached }
    }

    fn place(&self, level: Level) -> Target {
        let subject = match level {
            Level::Organization => Subject::Organization,
            Level::Folder(folder) => Subject::Folder(self.way(Some(folder))),
            Level::Document(_) => {
                let model::permissions::Level::Document(id) = level_id(level) else {
                    unreachable!()
                };
                match self.containers.get(&level) {
                    None => Subject::Document {
                        id,
                        document: Stand::Absent(self.end(level)),
                        way: Way::none(),
                    },
                    Some(row) => {
                        let facts = DocumentFacts {
                            disabled: row.disabled,
                            setting: setting(row.access),
                            placed: row.placed,
                            holders: row.holders.clone(),
                        };
                        let document = Stand::There(facts, row.life);
                        Subject::Document { id, document, way: self.way(row.folder) }
                    }
                }
            }
        };
        Target { organization: self.organization.clone(), subject }
    }

    /// Whether the way to a folder is whole, in this life.
    fn is_whole(&self, level: Level) -> bool {
        let rules = self.rules();
        self.containers.contains_key(&level)
            && self.place(level).access(&rules).access_type().is_some()
    }

    fn rules(&self) -> Rules {
        Rules {
            now: self.now,
            default: access(self.kind.access()),
            public_role: role(self.kind.public_role()),
        }
    }

    fn decide(&self, level: Level, user: User, tok: Option<Tok>) -> Decided {
        let mut person =
            Person { left: self.left.get(&user).copied().unwrap_or(0), ..Person::default() };
        if let Some(joined) = self.joined.get(&user) {
            person.groups.insert(group_id(), *joined);
            person.group_lives.insert(group_id(), self.group);
        }
        for ((of, level), said) in &self.said {
            if *of == user {
                person.at.insert(level_id(*level), *said);
            }
        }
        let token = tok.and_then(|Tok(n)| self.tokens[usize::from(n)].as_ref());
        let token = token.filter(|(of, _)| *of == user).map(|(_, token)| token);
        let source = token.map_or(Source::Stored, Source::Token);
        match decide(&self.place(level), &person, &source, &self.rules()) {
            Decision::Absent => Decided::Absent,
            Decision::LockedOut(_) => Decided::LockedOut,
            Decision::Closed(_) => Decided::Closed,
            Decision::Open(right) => {
                let role = match right.role {
                    AccessRole::Viewer => Role::Viewer,
                    AccessRole::Commenter => Role::Commenter,
                    AccessRole::Editor => Role::Editor,
                };
                Decided::Open(role, matches!(right.by, By::Public(_)))
            }
        }
    }

    /// Whether a row is of an earlier life of what it lay in, which is there again.
    fn is_earlier(&self, level: Level) -> bool {
        let Some(row) = self.containers.get(&level) else {
            return false;
        };
        if self.is_there() && row.life < self.organization.life() {
            return true;
        }
        let above = row.folder.map(Level::Folder);
        above.is_some_and(|above| match self.containers.get(&above) {
            Some(parent) => row.placed < parent.life || self.is_earlier(above),
            None => false,
        })
    }

    /// A container is deleted; what is in it stays where it is.
    fn delete(&mut self, level: Level) -> Answer {
        if self.is_earlier(level) {
            return NOT_FOUND;
        }
        let Some(row) = self.containers.remove(&level) else {
            return NOT_FOUND;
        };
        self.ends.insert(level, row.life.ended(self.now));
        Answer::Done
    }

    /// A container is added, or an orphan is replaced by one.
    fn add(&mut self, level: Level, folder: Option<Folder>, own: Option<Access>) -> Answer {
        let parent = folder.map(Level::Folder);
        let is_missing = parent.is_some_and(|parent| !self.is_whole(parent));
        if !self.is_there() {
            return NOT_FOUND;
        }
        if self.is_whole(level) {
            return Answer::Refused(Refusal::Conflict);
        }
        if is_missing || parent == Some(level) {
            return NOT_FOUND;
        }
        let mut life = self.end(level).max(self.organization.life());
        if self.containers.contains_key(&level) {
            // Nothing tells better when an orphan ended than what it lay in.
            life = life.max(self.broken(level));
        }
        let placed =
            parent.map_or(self.organization.life(), |parent| self.containers[&parent].life);
        let row =
            Row { life, folder, placed, access: own, disabled: false, holders: Holders::new() };
        self.containers.insert(level, row);
        Answer::Done
    }

    /// When what an orphan lies in ended.
    fn broken(&self, level: Level) -> Life {
        let row = &self.containers[&level];
        let organization = self.organization.life();
        if row.life < organization || !self.is_there() {
            return organization;
        }
        let Some(folder) = row.folder else {
            return Life::FIRST;
        };
        let above = Level::Folder(folder);
        match self.containers.get(&above) {
            None => self.end(above),
            Some(parent) if row.placed < parent.life => parent.life,
            Some(_) => self.broken(above),
        }
    }

    /// The clean-up removes what lies in nothing.
    fn clean(&mut self) {
        let orphans: Vec<Level> =
            self.containers.keys().copied().filter(|level| !self.is_whole(*level)).collect();
        for level in orphans {
            let end = self.broken(level);
            let end = end.max(self.end(level));
            self.containers.remove(&level);
            self.ends.insert(level, end);
            self.said.retain(|(_, at), said| {
                let last = [said.grant, said.member].into_iter().flatten().map(|given| given.at);
                *at != level || last.chain([said.ended]).any(|at| end.covers(at))
            });
        }
    }

    /// The row of a container that can be changed.
    fn row(&mut self, level: Level) -> Option<&mut Row> {
        if self.is_earlier(level) {
            return None;
        }
        self.containers.get_mut(&level)
    }

    fn place_in(&mut self, level: Level, folder: Option<Folder>) -> Answer {
        let parent = folder.map(Level::Folder);
        let (is_there, organization) = (self.is_there(), self.organization.life());
        let is_of_now = |row: &Row| is_there && row.life >= organization;
        if !self.containers.get(&level).is_some_and(is_of_now)
            || self.is_earlier(level)
            || parent.is_some_and(|parent| parent != level && !self.is_whole(parent))
        {
            return NOT_FOUND;
        }
        let mut above = folder;
        while let Some(folder) = above {
            if Level::Folder(folder) == level {
                return Answer::Refused(Refusal::Invalid);
            }
            above = self.containers.get(&Level::Folder(folder)).and_then(|row| row.folder);
        }
        let placed = parent.map_or(organization, |parent| self.containers[&parent].life);
        let row = self.row(level).expect("a row");
        (row.folder, row.placed) = (folder, placed);
        Answer::Done
    }

    /// Carries out the call as the service does, and answers it.
    #[expect(clippy::too_many_lines, reason = "one arm for each call")]
    fn call(&mut self, call: &Call) -> Answer {
        let now = self.now;
        match call {
            Call::AddOrganization(_) => match self.organization.clone() {
                Stand::There(..) => Answer::Refused(Refusal::Conflict),
                Stand::Absent(end) => {
                    self.organization = Stand::There(OrganizationFacts::default(), end);
                    Answer::Done
                }
            },
            Call::DeleteOrganization(_) => match self.organization.clone() {
                Stand::There(_, life) => {
                    self.organization = Stand::Absent(life.ended(now));
                    self.group = Stand::Absent(life.ended(now));
                    Answer::Done
                }
                // The organization may have been recorded by a right.
                Stand::Absent(_) => NOT_FOUND,
            },
            Call::DisableOrganization(_, disabled) => match &mut self.organization {
                Stand::There(facts, _) => {
                    facts.disabled = *disabled;
                    Answer::Done
                }
                Stand::Absent(_) => NOT_FOUND,
            },
            Call::AddFolder(_, folder, parent, own) => {
                self.add(Level::Folder(*folder), *parent, *own)
            }
            Call::DeleteFolder(_, folder) => self.delete(Level::Folder(*folder)),
            Call::MoveFolder(_, folder, to) => self.place_in(Level::Folder(*folder), *to),
            Call::FolderAccess(_, folder, own) => match self.row(Level::Folder(*folder)) {
                Some(row) => {
                    row.access = *own;
                    Answer::Done
                }
                None => NOT_FOUND,
            },
            Call::AddDocument(At(_, doc), folder) => self.add(Level::Document(*doc), *folder, None),
            Call::DeleteDocument(At(_, doc)) => self.delete(Level::Document(*doc)),
            Call::MoveDocument(At(_, doc), to) => self.place_in(Level::Document(*doc), *to),
            Call::DisableDocument(At(_, doc), disabled) => match self.row(Level::Document(*doc)) {
                Some(row) => {
                    row.disabled = *disabled;
                    Answer::Done
                }
                None => NOT_FOUND,
            },
            Call::DocumentAccess(At(_, doc), own) => match self.row(Level::Document(*doc)) {
                Some(row) => {
                    row.access = Some(*own);
                    Answer::Done
                }
                None => NOT_FOUND,
            },
            Call::AddGroup(_) if self.is_there() => {
                if let Stand::Absent(end) = self.group {
                    self.group = Stand::There((), end.max(self.organization.life()));
                }
                Answer::Done
            }
            Call::DeleteGroup(_) => match self.group {
                Stand::There((), life) => {
                    self.group = Stand::Absent(life.ended(now));
                    Answer::Done
                }
                Stand::Absent(_) => FAILED,
            },
            Call::JoinGroup(_, user) => match (self.group, self.is_member(*user)) {
                (Stand::There((), of), true) => {
                    self.joined.insert(*user, Joined { of, at: now });
                    Answer::Done
                }
                _ => FAILED,
            },
            Call::AddUser(_, level, user, sent) => {
                if *level == Level::Organization {
                    if let Stand::Absent(end) = self.organization {
                        self.organization = Stand::There(OrganizationFacts::default(), end);
                    }
                } else if !self.is_there() || !self.is_whole(*level) {
                    return FAILED;
                }
                let old = self.member(*user, *level).map(|given| given.role);
                let role = sent.map(role).or(old).unwrap_or(AccessRole::Editor);
                let given = Given { role, until: None, at: now };
                self.said.entry((*user, *level)).or_default().member = Some(given);
                Answer::Done
            }
            Call::RemoveUser(_, level, user) => {
                let is_member = self.member(*user, *level).is_some();
                if *level == Level::Organization {
                    self.left.insert(*user, now);
                    self.joined.remove(user);
                }
                let said = self.said.entry((*user, *level)).or_default();
                *said = LevelRights { ended: now, ..LevelRights::default() };
                if is_member { Answer::Done } else { FAILED }
            }
            Call::Grant(_, level, holder, given, seconds) => {
                let until = seconds.map(|seconds| now / 1_000 + seconds);
                let given = Given { role: role(*given), until, at: now };
                match (holder, self.group) {
                    (Holder::User(user), _) => {
                        self.said.entry((*user, *level)).or_default().grant = Some(given);
                        Answer::Done
                    }
                    (Holder::Group, Stand::There((), of)) => {
                        let right = GroupRight { given, of };
                        if *level == Level::Organization {
                            let Stand::There(facts, _) = &mut self.organization else {
                                return FAILED;
                            };
                            facts.holders.insert(group_id(), right);
                        } else if self.is_there() && self.is_whole(*level) {
                            let row = self.row(*level).expect("a row");
                            row.holders.insert(group_id(), right);
                        } else {
                            return FAILED;
                        }
                        Answer::Done
                    }
                    (Holder::Group, Stand::Absent(_)) => FAILED,
                }
            }
            Call::Revoke(_, level, Holder::User(user)) => {
                let said = self.said.entry((*user, *level)).or_default();
                said.grant = None;
                said.ended = now;
                Answer::Done
            }
            Call::Issue(Tok(n), user, resources) => {
                let is_disabled = |(org, level, _): &(Org, Level, Role)| {
                    let row = self.containers.get(level).filter(|_| !self.is_earlier(*level));
                    let organization = match &self.organization {
                        Stand::There(facts, _) => facts.disabled,
                        Stand::Absent(_) => false,
                    };
                    *org == ORG && (organization || row.is_some_and(|row| row.disabled))
                };
                if resources.iter().any(is_disabled) {
                    return Answer::Refused(Refusal::Denied);
                }
                let of_ours = resources.iter().filter(|(org, ..)| *org == ORG);
                let rights =
                    of_ours.map(|(_, level, given)| (level_id(*level), (role(*given), None)));
                let token = Token { issued: now, rights: rights.collect() };
                self.tokens[usize::from(*n)] = Some((*user, token));
                Answer::Done
            }
            _ => FAILED,
        }
    }

    fn member(&self, user: User, level: Level) -> Option<Given> {
        let end = match level {
            Level::Organization => self.organization.life(),
            level => self.containers.get(&level)?.life.max(self.organization.life()),
        };
        let left = self.left.get(&user).copied().unwrap_or(0);
        let member = self.said.get(&(user, level))?.member?;
        (end.covers(member.at) && member.at > left).then_some(member)
    }

    fn is_member(&self, user: User) -> bool {
        self.member(user, Level::Organization).is_some()
    }
}

/// Whether the rows above know a call.
fn is_known(call: &Call) -> bool {
    match call {
        Call::AddOrganization(org)
        | Call::DeleteOrganization(org)
        | Call::DisableOrganization(org, _)
        | Call::AddFolder(org, ..)
        | Call::DeleteFolder(org, _)
        | Call::MoveFolder(org, ..)
        | Call::FolderAccess(org, ..)
        | Call::AddDocument(At(org, _), _)
        | Call::DeleteDocument(At(org, _))
        | Call::MoveDocument(At(org, _), _)
        | Call::DisableDocument(At(org, _), _)
        | Call::DocumentAccess(At(org, _), _)
        | Call::AddGroup(org)
        | Call::DeleteGroup(org)
        | Call::JoinGroup(org, _)
        | Call::AddUser(org, ..)
        | Call::RemoveUser(org, ..)
        | Call::Grant(org, ..)
        | Call::Revoke(org, _, Holder::User(_)) => *org == ORG,
        Call::Issue(..) => true,
        _ => false,
    }
}

/// Follows drawn histories until so many decisions were compared; the first difference.
fn compare(mutant: Option<Mutant>, decisions: usize) -> Result<(), String> {
    let mut compared = 0;
    for seed in 0.. {
        let mut dice = Dice::new(seed);
        let mut generator = Generator::new(&mut dice, true);
        let (kind, cleans) = (generator.kind, dice.chance(5_000));
        let mut rows = Rows::new(kind);
        let mut worlds = Worlds::new(kind, START, mutant);
        let scene = Generator::scene().into_iter();
        let mut told = Vec::new();
        let drawn = (0..24).map(|_| generator.call(&mut dice)).collect::<Vec<_>>();
        for asked in scene.chain(drawn) {
            let asked = Asked { by: Actor::Server, call: asked.call };
            if !is_known(&asked.call) {
                continue;
            }
            let step = dice.pick(&[1, 1, 1, 6_000]);
            rows.now += step;
            worlds.advance(step);
            let answer = rows.call(&asked.call);
            told.push(format!("{:?} {answer:?}", asked.call));
            worlds
                .judge(&asked, &answer)
                .map_err(|fault| format!("seed {seed} {kind:?}: {} after {told:#?}", fault.0))?;
            if cleans && dice.chance(3_000) {
                rows.clean();
                told.push("clean".to_owned());
            }
            for (level, user) in
                Level::all().into_iter().flat_map(|it| User::ALL.map(|user| (it, user)))
            {
                for tok in [None, Some(Tok(0)), Some(Tok(1)), Some(Tok(2))] {
                    let ours = rows.decide(level, user, tok);
                    let right = worlds.decided(ORG, level, user, tok);
                    if !right.contains(&ours) {
                        return Err(format!(
                            "seed {seed} {kind:?}: {level:?} {user:?} {tok:?} is {ours:?}, right: \
                             {right:?}, after {told:#?}"
                        ));
                    }
                    compared += 1;
                }
            }
        }
        if compared >= decisions {
            break;
        }
    }
    Ok(())
}

#[test]
fn the_decision_is_that_of_the_model_of_the_contract_for_rows_in_any_state_of_clean_up() {
    compare(None, 200_000).unwrap_or_else(|difference| panic!("{difference}"));
}

#[test]
fn a_wrong_model_of_rights_decides_otherwise() {
    let mutants = [
        Mutant::MissingFolderIsDefault,
        Mutant::DeletedOrganizationLives,
        Mutant::OnlyMembersDepart,
        Mutant::InsideOutlivesDeparture,
    ];
    for mutant in mutants {
        assert!(compare(Some(mutant), 2_000_000).is_err(), "{mutant:?} is not found");
    }
}
