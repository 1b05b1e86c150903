//! Draws the calls of a history.

use simulator::Dice;

use crate::{
    Access, Actor, Asked, At, By, Call, Doc, Folder, Holder, KeyKind, Level, Mark, Org, Role,
    ThreadNo, Tok, User, Visibility, Want, What,
    themes::{ANY, DEPARTURE, Pace, RETURN, THEMES},
};

/// Number of the kinds of calls that change something.
pub const KINDS: u64 = 36;

/// How often, in 10,000, a call is about the focus of its history.
const FOCUS: u64 = 8_000;

/// How often, in 10,000, a call is the next one in the order of a theme.
const ORDERED: u64 = 5_000;
/// Kinds that delete something, or end rights.
const DELETIONS: [u64; 8] = [1, 4, 8, 14, 18, 20, 34, 35];
/// How often, in 10,000, a history without a theme is about one of them and one other kind.
const MEETS: u64 = 5_000;

/// A swarm: each history draws from few of the kinds, so that rare pairs meet in short ones.
#[derive(Clone, Debug)]
pub struct Generator {
    /// The key of the history.
    pub kind: KeyKind,
    /// The pace between its calls.
    pub pace: Pace,
    kinds: Vec<u64>,
    /// Kinds of its theme, and how many of them came in that order.
    theme: (&'static [u64], usize),
    /// Whether rights of groups and the role of a commenter are drawn.
    groups: bool,
    marks: u16,
    /// Questions after quiescence so far.
    ends: u64,
    /// User and resources that most calls are about, so that they meet.
    focus: (User, Doc, Folder, Level),
    /// Whether all calls are about the document of the focus.
    meet: bool,
}

impl Generator {
    /// A new history. Without `groups`, no group has a right and nobody is a commenter.
    pub fn new(dice: &mut Dice, groups: bool) -> Self {
        let none = (&[][..], ANY, Pace::Any);
        let (theme, keys, pace) = if dice.chance(7_500) { dice.pick(&THEMES) } else { none };
        let kind = dice.pick(keys);
        let others = if theme.is_empty() { 3_333 } else { 500 };
        let mut kinds: Vec<u64> = (0..KINDS).filter(|_| dice.chance(others)).collect();
        kinds.extend(theme.iter().flat_map(|kind| [*kind; 2]));
        if theme.is_empty() && dice.chance(MEETS) {
            // One deletion and one other kind, next to each other.
            kinds = vec![dice.pick(&DELETIONS), dice.below(KINDS)];
        }
        if kinds.is_empty() {
            kinds.push(dice.below(KINDS));
        }
        let user = dice.pick(&[User::Ada, User::Ada, User::Ada, User::Bob, User::Eve, User::Eve]);
        let (doc, folder) = dice.pick(&[(0, 0), (1, 0), (1, 0), (2, 0), (2, 1)]);
        let (doc, folder) = (Doc(doc), Folder(folder));
        let levels = [Level::Organization, Level::Document(doc)];
        let level = if dice.chance(2_000) { Level::Folder(folder) } else { dice.pick(&levels) };
        Self {
            kind,
            pace,
            kinds,
            theme: (theme, 0),
            groups,
            marks: 0,
            ends: 0,
            focus: (user, doc, folder, level),
            meet: false,
        }
    }

    /// Names no other text of this history.
    fn mark(&mut self) -> Mark {
        self.marks += 1;
        Mark(self.marks)
    }

    /// The calls before the first step: both organizations, the folder 1 in the folder 0, a
    /// document at the top and one in each folder, and ada as an editor of the organization and the
    /// one member of its group.
    #[must_use]
    pub fn scene() -> Vec<Asked> {
        let mut calls = Vec::new();
        for org in [Org(0), Org(1)] {
            calls.push(Call::AddOrganization(org));
        }
        let org = Org(0);
        calls.push(Call::AddFolder(org, Folder(0), None, None));
        calls.push(Call::AddFolder(org, Folder(1), Some(Folder(0)), None));
        calls.push(Call::AddDocument(At(org, Doc(0)), None));
        calls.push(Call::AddDocument(At(org, Doc(1)), Some(Folder(0))));
        calls.push(Call::AddDocument(At(org, Doc(2)), Some(Folder(1))));
        calls.push(Call::AddUser(org, Level::Organization, User::Ada, Some(Role::Editor)));
        calls.push(Call::AddGroup(org));
        calls.push(Call::JoinGroup(org, User::Ada));
        calls.into_iter().map(|call| Asked { by: Actor::Server, call }).collect()
    }

    /// The next call. An index is that of the draw alone, so each part of a history is one.
    pub fn call(&mut self, dice: &mut Dice) -> Asked {
        // Without a token, an end user asks nothing; tokens are always drawn.
        let kind = if dice.chance(1_500) { 21 } else { self.kind_of_call(dice) };
        self.call_of(kind, dice)
    }

    fn call_of(&mut self, kind: u64, dice: &mut Dice) -> Asked {
        let (org, user) = (if self.meet { Org(0) } else { org(dice) }, self.user(dice));
        let at = At(org, self.doc(dice));
        let call = match kind {
            0 => Call::AddOrganization(org),
            1 => Call::DeleteOrganization(org),
            2 => Call::DisableOrganization(org, dice.chance(7_000)),
            3 => Call::AddFolder(
                org,
                self.folder(dice),
                maybe(dice, |dice| self.folder(dice)),
                maybe(dice, access),
            ),
            4 => Call::DeleteFolder(org, self.folder(dice)),
            5 => Call::MoveFolder(org, self.folder(dice), maybe(dice, |dice| self.folder(dice))),
            6 => Call::FolderAccess(org, self.folder(dice), maybe(dice, access)),
            7 => Call::AddDocument(at, maybe(dice, |dice| self.folder(dice))),
            8 => Call::DeleteDocument(at),
            9 => Call::DisableDocument(at, dice.chance(6_000)),
            10 => Call::MoveDocument(at, maybe(dice, |dice| self.folder(dice))),
            11 => Call::DocumentAccess(at, access(dice)),
            12 => Call::RenameDocument(at),
            13 => Call::AddGroup(org),
            14 => Call::DeleteGroup(org),
            15 => Call::JoinGroup(org, user),
            16 => Call::LeaveGroup(org, user),
            17 => Call::AddUser(org, self.level(dice), user, maybe(dice, |dice| self.role(dice))),
            18 => Call::RemoveUser(org, self.level(dice), user),
            19 => {
                let until = if dice.chance(4_000) { Some(5) } else { None };
                Call::Grant(org, self.level(dice), self.holder(dice, user), self.role(dice), until)
            }
            20 => Call::Revoke(org, self.level(dice), self.holder(dice, user)),
            21 => {
                let mut resources: Vec<(Org, Level, Role)> = (0..dice.below(3))
                    .map(|_| (self::org(dice), self.level_of_token(dice), self.role(dice)))
                    .collect();
                // The contract does not say which of two rights for a level counts.
                resources.dedup_by_key(|(org, level, _)| (*org, *level));
                Call::Issue(tok(dice), user, resources)
            }
            22 => Call::ResetTokens,
            23 => {
                let visibility = match dice.below(4) {
                    0 => Visibility::Organization(self::org(dice)),
                    1 => Visibility::Only(dice.pick(&User::ALL)),
                    _ => Visibility::Public,
                };
                Call::Thread(at, thread(dice), visibility, self.by(dice, user))
            }
            24 | 25 => Call::Comment(at, thread(dice), self.by(dice, user)),
            26 => Call::React(at, thread(dice), user),
            27 => Call::Assign(at, thread(dice), dice.pick(&User::ALL), user),
            28 => Call::Presence(at, user),
            29 => Call::Live(at, self.mark(), dice.chance(5_000)),
            30 => Call::Append(at, self.mark()),
            31 => Call::Recording(at, user, self.mark()),
            32 => Call::Activity(at, user, dice.pick(&User::ALL), self.mark()),
            33 => {
                let often = if self.asks_for_preferences() { 5_000 } else { 1_000 };
                let document = if dice.chance(often) { Some(self.doc(dice)) } else { None };
                let (inbox, mail) = match dice.below(4) {
                    0 => (Some(want(dice)), Some(want(dice))),
                    1 => (None, Some(want(dice))),
                    _ => (Some(want(dice)), None),
                };
                Call::Preference(org, document, user, inbox, mail)
            }
            34 if dice.chance(5_000) => Call::DeleteThread(at, thread(dice)),
            34 => Call::Seen(at, thread(dice), user),
            35 if dice.chance(7_000) => Call::Erase(user),
            DEPARTURE => Call::RemoveUser(org, Level::Organization, user),
            RETURN => {
                let holder = Holder::User(user);
                Call::Grant(org, Level::Organization, holder, self.role(dice), None)
            }
            _ => Call::UpdateUser(org, self.level(dice), user),
        };
        let by = if call.is_for_end_users() && dice.chance(5_000) {
            Actor::Holder(tok(dice))
        } else {
            Actor::Server
        };
        Asked { by, call }
    }

    fn kind_of_call(&mut self, dice: &mut Dice) -> u64 {
        let (theme, came) = self.theme;
        if theme.is_empty() || !dice.chance(ORDERED) {
            return dice.pick(&self.kinds);
        }
        self.theme.1 += 1;
        theme[came % theme.len()]
    }

    /// A token, and the calls of the theme, of which the first waits until the others are made: by the
    /// holder of that token as often as by the tenant's server. Three times in four, all are about one
    /// document.
    pub fn held(&mut self, dice: &mut Dice) -> (Asked, Vec<Asked>) {
        let (theme, _) = self.theme;
        self.meet = dice.chance(7_500);
        let mut calls: Vec<Asked> = theme.iter().map(|kind| self.call_of(*kind, dice)).collect();
        self.meet = false;
        let (user, doc, ..) = self.focus;
        let rights = vec![(Org(0), Level::Document(doc), Role::Editor)];
        if let Some(first) = calls.first_mut()
            && first.call.is_for_end_users()
            && dice.chance(5_000)
        {
            first.by = Actor::Holder(Tok(0));
        }
        (server(Call::Issue(Tok(0), user, rights)), calls)
    }

    /// A question; `end` asks one of those that count after quiescence as well.
    pub fn question(&mut self, dice: &mut Dice, end: bool) -> Asked {
        let org = org(dice);
        let at = At(org, self.doc(dice));
        let what =
            dice.pick(&[What::Threads, What::Threads, What::Live, What::Editor, What::Presence]);
        // After quiescence no token is valid any more.
        if !end && dice.chance(5_000) {
            let call = match dice.below(10) {
                0 | 1 => Call::Inbox(org, User::Ada, false),
                2..5 if self.asks_for_preferences() => self.preferences(org, dice),
                _ => Call::Read(at, what),
            };
            return Asked { by: Actor::Holder(tok(dice)), call };
        }
        let user = self.user(dice);
        if end {
            self.ends += 1;
            // Data that shows only now, and something else.
            match (self.ends, self.focus.0) {
                (1, user) => return server(Call::Inbox(Org(0), user, true)),
                (2, user) => return server(Call::Export(Org(0), user)),
                (3, user) if dice.chance(5_000) => return server(Call::Outbox(user, true)),
                (3, _) => return server(Call::Activities(Org(0))),
                (4, _) => {
                    let is_of_live = self.theme.0.contains(&29);
                    let what = if is_of_live { What::Live } else { What::Threads };
                    return server(Call::Read(At(Org(0), self.focus.1), what));
                }
                _ => {}
            }
        }
        let call = match dice.below(15) {
            0..8 if self.asks_for_preferences() => self.preferences(org, dice),
            0..=2 => Call::Rights(org),
            3 => Call::Documents(org),
            4 => Call::Folders(org),
            5 => Call::Users(org, self.level(dice)),
            6 => Call::Group(org),
            7 => Call::Export(org, user),
            8 => Call::Inbox(org, user, end),
            9 => Call::Organizations,
            10 => Call::Recordings(at),
            11 => Call::Activities(org),
            12 => Call::Outbox(user, end),
            13 => self.preferences(org, dice),
            _ => Call::Read(at, what),
        };
        server(call)
    }

    /// Whether the history is about preferences that end.
    fn asks_for_preferences(&self) -> bool {
        let (theme, _) = self.theme;
        theme.contains(&33) && theme.iter().any(|kind| DELETIONS.contains(kind))
    }

    fn preferences(&self, org: Org, dice: &mut Dice) -> Call {
        let document = maybe(dice, |dice| self.doc(dice));
        Call::Preferences(org, document, self.user(dice))
    }

    fn by(&mut self, dice: &mut Dice, from: User) -> By {
        let from = if dice.chance(5_000) { dice.pick(&User::ALL) } else { from };
        let mention = match dice.below(8) {
            0 | 1 => Some(Holder::User(dice.pick(&User::ALL))),
            2 => Some(Holder::Group),
            _ => None,
        };
        By {
            from,
            mark: self.mark(),
            mention,
            notify: dice.chance(8_000),
            activity: dice.chance(3_000),
            long: dice.chance(2_500),
        }
    }

    fn user(&self, dice: &mut Dice) -> User {
        if dice.chance(FOCUS) { self.focus.0 } else { dice.pick(&User::ALL) }
    }

    fn doc(&self, dice: &mut Dice) -> Doc {
        let is_focus = self.meet || dice.chance(FOCUS);
        if is_focus { self.focus.1 } else { dice.pick(&[Doc(0), Doc(1), Doc(2)]) }
    }

    fn folder(&self, dice: &mut Dice) -> Folder {
        if dice.chance(5_000) { self.focus.2 } else { dice.pick(&[Folder(0), Folder(1)]) }
    }

    fn level(&self, dice: &mut Dice) -> Level {
        match dice.below(10) {
            0..5 => self.focus.3,
            5 | 6 => Level::Document(self.doc(dice)),
            7 | 8 => Level::Folder(self.folder(dice)),
            _ => Level::Organization,
        }
    }

    /// Rights of tokens are for documents, mostly.
    fn level_of_token(&self, dice: &mut Dice) -> Level {
        if dice.chance(5_000) { Level::Document(self.doc(dice)) } else { self.level(dice) }
    }

    fn role(&self, dice: &mut Dice) -> Role {
        let roles = [Role::Editor, Role::Viewer, Role::Commenter];
        dice.pick(if self.groups { &roles } else { &roles[..2] })
    }

    fn holder(&self, dice: &mut Dice, user: User) -> Holder {
        if self.groups && dice.chance(5_000) { Holder::Group } else { Holder::User(user) }
    }
}

fn server(call: Call) -> Asked {
    Asked { by: Actor::Server, call }
}

/// The first organization nine times in ten, so that calls meet.
fn org(dice: &mut Dice) -> Org {
    Org(u8::from(dice.chance(1_000)))
}

/// The first thread three times in four.
fn thread(dice: &mut Dice) -> ThreadNo {
    ThreadNo(u8::from(dice.chance(2_500)))
}

/// The first token two times in three.
fn tok(dice: &mut Dice) -> Tok {
    dice.pick(&[Tok(0), Tok(0), Tok(0), Tok(0), Tok(1), Tok(2)])
}

fn access(dice: &mut Dice) -> Access {
    dice.pick(&[Access::Public, Access::OrganizationPrivate, Access::Restricted])
}

fn want(dice: &mut Dice) -> Want {
    dice.pick(&[Want::All, Want::All, Want::Mine, Want::None, Want::None])
}

fn maybe<T>(dice: &mut Dice, draw: impl FnOnce(&mut Dice) -> T) -> Option<T> {
    dice.chance(6_000).then(|| draw(dice))
}

impl Call {
    /// Whether an end user may make it: otherwise only the tenant's server does.
    #[must_use]
    pub fn is_for_end_users(&self) -> bool {
        matches!(
            self,
            Self::Thread(..)
                | Self::Comment(..)
                | Self::React(..)
                | Self::Presence(..)
                | Self::Live(..)
                | Self::Append(..)
                | Self::Preference(..)
                | Self::Seen(..)
                | Self::Read(..)
                | Self::Inbox(..)
                | Self::Preferences(..)
        )
    }
}
