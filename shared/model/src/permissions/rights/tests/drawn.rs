//! Properties of all facts, tested on facts that are drawn.

use super::{
    super::{
        Access, By, Decision, DocumentFacts, FolderFacts, Given, GroupRight, Holders, Joined,
        LevelRights, OrganizationFacts, Past, Person, Rules, Setting, Source, Subject, Target,
        Token, Top, Via, Way, decide,
    },
    NOW, at_document, document, folder, folder_facts, group, role,
};
use crate::{
    Millis,
    life::{Life, Stand},
    permissions::{
        AccessRole::{self, Commenter, Editor, Viewer},
        AccessType::{self, OrganizationPrivate, Public, Restricted},
        Level,
    },
};

/// Numbers that are drawn from a seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn of<T: Clone>(&mut self, among: &[T]) -> T {
        among[usize::try_from(self.below(among.len() as u64)).unwrap()].clone()
    }

    fn time(&mut self) -> Millis {
        self.of(&[0, 10, 20, 30, 40])
    }

    fn life(&mut self) -> Life {
        Life::after(self.of(&[0, 0, 10, 20]))
    }

    fn role(&mut self) -> AccessRole {
        self.of(&[Viewer, Commenter, Editor])
    }

    fn setting(&mut self) -> Setting {
        let access: AccessType = self.of(&[Public, OrganizationPrivate, Restricted]);
        self.of(&[Setting::Inherited, Setting::Own(access)])
    }

    fn given(&mut self) -> Option<Given> {
        let until = self.of(&[None, None, Some(0), Some(200)]);
        let given = Given { role: self.role(), until, at: self.time() };
        self.of(&[None, Some(given)])
    }

    fn holders(&mut self) -> Holders {
        match self.given() {
            Some(given) => [(group(), GroupRight { given, of: self.life() })].into(),
            None => Holders::new(),
        }
    }

    fn place(&mut self) -> Target {
        let organization =
            OrganizationFacts { disabled: self.below(9) == 0, holders: self.holders() };
        let life = self.life();
        let organization = self.of(&[
            Stand::There(organization.clone(), life),
            Stand::There(organization, life),
            Stand::Absent(life),
        ]);
        let folders = (0..self.below(3)).map(|n| {
            let facts = folder_facts(usize::try_from(n).unwrap());
            let (life, setting, placed) = (self.life(), self.setting(), self.life());
            FolderFacts { life, setting, placed, holders: self.holders(), ..facts }
        });
        let folders = folders.collect();
        let missing = Top::Missing(self.life());
        let way =
            Way { folders, top: self.of(&[Top::Reached, Top::Reached, missing, Top::TooDeep]) };
        let facts = DocumentFacts {
            disabled: self.below(9) == 0,
            setting: self.setting(),
            placed: self.life(),
            holders: self.holders(),
        };
        let (life, end) = (self.life(), self.life());
        let stand = self.of(&[Stand::There(facts, life), Stand::Absent(end)]);
        let document = Subject::Document { id: document(), document: stand, way: way.clone() };
        let subject =
            self.of(&[Subject::Organization, Subject::Folder(way), document.clone(), document]);
        Target { organization, subject }
    }

    fn person(&mut self) -> Person {
        let levels = [
            Level::Organization,
            Level::Folder(folder(0)),
            Level::Folder(folder(1)),
            at_document(),
        ];
        let said = levels.map(|level| {
            (level, LevelRights { grant: self.given(), member: self.given(), ended: self.time() })
        });
        let life = self.life();
        Person {
            left: self.of(&[0, 0, 20]),
            groups: [(group(), Joined { of: self.life(), at: self.time() })].into(),
            group_lives: [(group(), self.of(&[Stand::There((), life), Stand::Absent(life)]))]
                .into(),
            at: said.into(),
        }
    }

    fn token(&mut self) -> Token {
        let levels = [Level::Organization, Level::Folder(folder(0)), at_document()];
        let rights = levels.into_iter().filter(|_| self.below(2) == 0).collect::<Vec<_>>();
        let rights = rights.into_iter().map(|level| (level, (self.role(), None))).collect();
        Token { issued: self.time(), rights }
    }
}

/// Whether a decision opens more than another.
fn is_more(one: &Decision, other: &Decision) -> bool {
    role(one).is_some() && role(other).is_none()
}

#[test]
fn an_end_opens_nothing_and_absence_is_no_permission() {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let (mut open, mut closed, mut absent, mut locked) = (0, 0, 0, 0);
    for _ in 0..50_000 {
        let (place, person, token) = (draw.place(), draw.person(), draw.token());
        let default = draw.of(&[Public, OrganizationPrivate, Restricted]);
        let rules = Rules { now: NOW, default, public_role: draw.role() };
        let source = draw.of(&[Source::Stored, Source::Token(&token)]);
        let decision = decide(&place, &person, &source, &rules);
        match &decision {
            Decision::Open(right) => {
                open += 1;
                assert!(right.until.is_none_or(|until| until * 1000 > NOW));
            }
            Decision::Closed(_) => closed += 1,
            Decision::Absent => absent += 1,
            Decision::LockedOut(_) => locked += 1,
        }
        // A departure now opens nothing, nor does the end of a level.
        let left = Person { left: NOW, ..person.clone() };
        let after = decide(&place, &left, &source, &rules);
        assert!(!is_more(&after, &decision), "{place:?} {person:?}");
        if let Decision::Open(right) = &after {
            assert!(matches!(right.by, By::Public(Past::Ended(NOW))), "{right:?}");
        }
        let mut ended = person.clone();
        for said in ended.at.values_mut() {
            *said = LevelRights { grant: None, member: None, ended: NOW };
        }
        let after = decide(&place, &ended, &Source::Stored, &rules);
        if let Decision::Open(right) = &after {
            let is_of_group = matches!(right.by, By::Level(_, Via::Group(_)));
            assert!(is_of_group || matches!(right.by, By::Public(_)), "{right:?}");
        }
        // The end of the organization ends all that was said before.
        let gone = Target { organization: Stand::Absent(Life::after(NOW)), ..place.clone() };
        assert_eq!(role(&decide(&gone, &person, &source, &rules)), None, "{place:?} {person:?}");
        // A place that is not there, or not reached, is open by a right at itself alone.
        if place.access(&rules) == Access::Absent
            && let Decision::Open(right) = &decision
        {
            assert!(matches!(&right.by, By::Level(level, _) if *level == at_document()));
        }
    }
    let least = [open, closed, absent, locked].into_iter().min().unwrap();
    assert!(least > 2_500, "{open} {closed} {absent} {locked}");
}
