//! The table of [`decide`](super::decide), row by row.

mod drawn;

use super::{
    Access, By, Decision, DocumentFacts, FolderFacts, Given, GroupRight, Holders, Joined,
    LevelRights, Locked, OrganizationFacts, Past, Person, Rules, Setting, Source, Subject, Target,
    Token, Top, Via, Way, decide,
};
use crate::{
    DocumentId, FolderId, GroupId, Millis,
    life::{Life, Stand},
    permissions::{
        AccessRole::{self, Commenter, Editor, Viewer},
        AccessType::{OrganizationPrivate, Public, Restricted},
        Level,
    },
};

const NOW: Millis = 100_000;
const RULES: Rules = Rules { now: NOW, default: Public, public_role: Editor };

fn document() -> DocumentId {
    "d".to_owned().try_into().unwrap()
}

fn folder(n: usize) -> FolderId {
    format!("f{n}").try_into().unwrap()
}

fn group() -> GroupId {
    "g".to_owned().try_into().unwrap()
}

fn at_document() -> Level {
    Level::Document(document())
}

fn folder_facts(n: usize) -> FolderFacts {
    FolderFacts {
        id: folder(n),
        life: Life::FIRST,
        setting: Setting::Inherited,
        placed: Life::FIRST,
        holders: Holders::new(),
    }
}

fn document_facts(setting: Setting) -> DocumentFacts {
    DocumentFacts { disabled: false, setting, placed: Life::FIRST, holders: Holders::new() }
}

/// A document with this setting, in two folders.
fn place(setting: Setting) -> Target {
    Target {
        organization: Stand::There(OrganizationFacts::default(), Life::FIRST),
        subject: Subject::Document {
            id: document(),
            document: Stand::There(document_facts(setting), Life::FIRST),
            way: Way { folders: vec![folder_facts(0), folder_facts(1)], top: Top::Reached },
        },
    }
}

fn given(role: AccessRole, at: Millis) -> Option<Given> {
    Some(Given { role, until: None, at })
}

fn granted(level: Level, role: AccessRole, at: Millis) -> Person {
    let said = LevelRights { grant: given(role, at), ..LevelRights::default() };
    Person { at: [(level, said)].into(), ..Person::default() }
}

fn token(level: Level, issued: Millis) -> Token {
    Token { issued, rights: [(level, (Viewer, None))].into() }
}

fn role(decision: &Decision) -> Option<AccessRole> {
    match decision {
        Decision::Open(right) => Some(right.role),
        Decision::Absent | Decision::LockedOut(_) | Decision::Closed(_) => None,
    }
}

fn stored(place: &Target, person: &Person) -> Decision {
    decide(place, person, &Source::Stored, &RULES)
}

fn by_token(place: &Target, person: &Person, token: &Token) -> Decision {
    decide(place, person, &Source::Token(token), &RULES)
}

fn with_document(place: Target, life: Stand<DocumentFacts>) -> Target {
    let Subject::Document { id, way, .. } = place.subject else { unreachable!() };
    Target { subject: Subject::Document { id, document: life, way }, ..place }
}

fn with_way(place: Target, way: Way) -> Target {
    let Subject::Document { id, document, .. } = place.subject else { unreachable!() };
    Target { subject: Subject::Document { id, document, way }, ..place }
}

#[test]
fn a_disabled_organization_locks_everybody_out() {
    let mut place = place(Setting::Own(Public));
    let facts = OrganizationFacts { disabled: true, ..OrganizationFacts::default() };
    place.organization = Stand::There(facts, Life::FIRST);
    let editor = granted(at_document(), Editor, 5);
    assert_eq!(stored(&place, &editor), Decision::LockedOut(Locked::Organization));
}

#[test]
fn a_broken_way_closes_a_document_for_all_but_rights_of_later() {
    let end = Life::after(50);
    let missing = Way { folders: vec![folder_facts(0)], top: Top::Missing(end) };
    let deep = Way { folders: vec![folder_facts(0)], top: Top::TooDeep };
    let forgotten = Way { folders: vec![], top: Top::Missing(Life::FIRST) };
    let again = FolderFacts { life: end, ..folder_facts(0) };
    let again = Way { folders: vec![again], top: Top::Reached };
    for (way, opens) in [(missing, true), (again, true), (deep, false), (forgotten, false)] {
        let place = with_way(place(Setting::Own(Public)), way);
        assert_eq!(place.access(&RULES), Access::Absent);
        assert_eq!(stored(&place, &Person::default()), Decision::Absent);
        assert_eq!(stored(&place, &granted(at_document(), Editor, 50)), Decision::Absent);
        let later = stored(&place, &granted(at_document(), Viewer, 51));
        assert_eq!(role(&later), opens.then_some(Viewer));
        // A right above is none in what is not there.
        let above = stored(&place, &granted(Level::Organization, Editor, 99));
        assert_eq!(above, Decision::Absent);
    }
}

#[test]
fn a_deleted_organization_closes_its_documents_and_so_does_its_next_life() {
    let mut place = place(Setting::Own(Public));
    for organization in [
        Stand::Absent(Life::after(50)),
        Stand::There(OrganizationFacts::default(), Life::after(50)),
    ] {
        place.organization = organization;
        assert_eq!(stored(&place, &Person::default()), Decision::Absent);
        assert_eq!(stored(&place, &granted(at_document(), Editor, 50)), Decision::Absent);
        assert_eq!(
            by_token(&place, &Person::default(), &token(at_document(), 50)),
            Decision::Absent
        );
        assert_eq!(role(&stored(&place, &granted(at_document(), Editor, 51))), Some(Editor));
    }
}

#[test]
fn a_right_may_precede_a_document_and_does_not_survive_its_deletion() {
    let never = with_document(place(Setting::Inherited), Stand::Absent(Life::FIRST));
    let deleted = with_document(place(Setting::Inherited), Stand::Absent(Life::after(50)));
    for (at, opens) in [(5, true), (50, true), (51, true)] {
        assert_eq!(role(&stored(&never, &granted(at_document(), Viewer, at))).is_some(), opens);
    }
    for (at, opens) in [(5, false), (50, false), (51, true)] {
        assert_eq!(role(&stored(&deleted, &granted(at_document(), Viewer, at))).is_some(), opens);
        let token = token(at_document(), at);
        assert_eq!(role(&by_token(&deleted, &Person::default(), &token)).is_some(), opens);
    }
    let above = granted(Level::Organization, Editor, 99);
    assert_eq!(stored(&never, &above), Decision::Absent);
}

#[test]
fn a_disabled_document_locks_everybody_out_of_it() {
    let facts = DocumentFacts { disabled: true, ..document_facts(Setting::Own(Public)) };
    let place = with_document(place(Setting::Inherited), Stand::There(facts, Life::FIRST));
    let editor = granted(at_document(), Editor, 5);
    assert_eq!(stored(&place, &editor), Decision::LockedOut(Locked::Document));
}

#[test]
fn the_nearest_right_decides_whatever_the_access_type() {
    for access in [Public, OrganizationPrivate, Restricted] {
        let place = place(Setting::Own(access));
        let mut person = granted(Level::Folder(folder(1)), Editor, 5);
        assert_eq!(role(&stored(&place, &person)), Some(Editor));
        person.at.extend(granted(Level::Folder(folder(0)), Viewer, 5).at);
        person.at.extend(granted(Level::Organization, Editor, 5).at);
        let Decision::Open(right) = stored(&place, &person) else { panic!("a right") };
        assert_eq!(right.role, Viewer);
        assert_eq!(right.by, By::Level(Level::Folder(folder(0)), Via::Grant));
        assert!(right.is_member);
    }
}

#[test]
fn a_right_in_the_organization_does_not_open_what_is_restricted() {
    let member = granted(Level::Organization, Commenter, 5);
    for (access, opens) in [(Public, true), (OrganizationPrivate, true), (Restricted, false)] {
        let decision = stored(&place(Setting::Own(access)), &member);
        assert_eq!(role(&decision), opens.then_some(Commenter), "{access:?}");
        if !opens {
            assert_eq!(decision, Decision::Closed(Past::Stranger));
        }
    }
}

#[test]
fn what_is_public_has_the_public_role_and_knows_who_had_another() {
    let rules = Rules { public_role: Viewer, ..RULES };
    let place = place(Setting::Inherited);
    let decide = |person: &Person| decide(&place, person, &Source::Stored, &rules);
    let Decision::Open(right) = decide(&Person::default()) else { panic!("open") };
    assert_eq!((right.role, right.by), (Viewer, By::Public(Past::Stranger)));
    let left = Person { left: 70, ..granted(at_document(), Editor, 60) };
    let Decision::Open(right) = decide(&left) else { panic!("open") };
    assert_eq!((right.role, right.by), (Viewer, By::Public(Past::Ended(70))));
    let over = Given { role: Editor, until: Some(80), at: 5 };
    let said = LevelRights { grant: Some(over), member: None, ended: 7 };
    let expired = Person { at: [(at_document(), said)].into(), ..Person::default() };
    let Decision::Open(right) = decide(&expired) else { panic!("open") };
    assert_eq!(right.by, By::Public(Past::Ended(80_000)));
}

#[test]
fn a_departure_ends_all_that_was_said_before_and_nothing_that_is_said_later() {
    let place = place(Setting::Own(Restricted));
    for level in [at_document(), Level::Folder(folder(1))] {
        for (at, opens) in [(69, false), (70, false), (71, true)] {
            let mut person = Person { left: 70, ..granted(level.clone(), Editor, at) };
            assert_eq!(role(&stored(&place, &person)).is_some(), opens);
            let said = LevelRights { member: given(Editor, at), ..LevelRights::default() };
            person.at.insert(level.clone(), said);
            assert_eq!(role(&stored(&place, &person)).is_some(), opens);
            person.at.clear();
            let token = token(level.clone(), at);
            assert_eq!(role(&by_token(&place, &person, &token)).is_some(), opens);
        }
    }
}

#[test]
fn a_token_needs_to_be_younger_than_the_last_end_and_the_last_grant() {
    let place = place(Setting::Own(Restricted));
    let over = Given { role: Editor, until: Some(1), at: 60 };
    for said in [
        LevelRights { ended: 60, ..LevelRights::default() },
        LevelRights { grant: Some(over), ..LevelRights::default() },
    ] {
        let person = Person { at: [(at_document(), said)].into(), ..Person::default() };
        for (issued, opens) in [(59, false), (60, false), (61, true)] {
            let token = token(at_document(), issued);
            assert_eq!(role(&by_token(&place, &person, &token)).is_some(), opens, "{issued}");
        }
    }
    // A stored right comes first.
    let person = granted(at_document(), Editor, 5);
    assert_eq!(role(&by_token(&place, &person, &token(at_document(), 60))), Some(Editor));
}

#[test]
fn the_default_of_the_key_is_that_of_folders_too() {
    let rules = Rules { default: Restricted, ..RULES };
    let way = Way { folders: vec![folder_facts(0), folder_facts(1)], top: Top::Reached };
    let organization = Stand::There(OrganizationFacts::default(), Life::FIRST);
    let mut place = Target { organization, subject: Subject::Folder(way) };
    assert_eq!(place.access(&rules), Access::Typed(Restricted, Setting::Inherited));
    let decision = decide(&place, &Person::default(), &Source::Stored, &rules);
    assert_eq!(decision, Decision::Closed(Past::Stranger));
    let way = Way { folders: vec![], top: Top::Missing(Life::FIRST) };
    place.subject = Subject::Folder(way);
    assert_eq!(place.access(&rules), Access::Absent);
    assert_eq!(decide(&place, &Person::default(), &Source::Stored, &rules), Decision::Absent);
}

#[test]
fn rights_in_an_organization_begin_anew_after_its_deletion() {
    let mut place = place(Setting::Inherited);
    place.subject = Subject::Organization;
    for organization in [
        Stand::Absent(Life::after(50)),
        Stand::There(OrganizationFacts::default(), Life::after(50)),
    ] {
        place.organization = organization;
        let before = granted(Level::Organization, Editor, 50);
        assert_eq!(stored(&place, &before), Decision::Closed(Past::Stranger));
        let after = granted(Level::Organization, Editor, 51);
        assert_eq!(role(&stored(&place, &after)), Some(Editor));
    }
}

#[test]
fn a_group_gives_its_right_to_who_is_in_it_in_this_life() {
    let right =
        GroupRight { given: Given { role: Commenter, until: None, at: 40 }, of: Life::after(30) };
    let facts = DocumentFacts {
        holders: [(group(), right)].into(),
        ..document_facts(Setting::Own(Restricted))
    };
    let place = with_document(place(Setting::Inherited), Stand::There(facts, Life::FIRST));
    let person = |joined: u64, at, life: Stand<()>| Person {
        groups: [(group(), Joined { of: Life::after(joined), at })].into(),
        group_lives: [(group(), life)].into(),
        ..Person::default()
    };
    let there = |since| Stand::There((), Life::after(since));
    let member = person(30, 35, there(30));
    let Decision::Open(right) = stored(&place, &member) else { panic!("a right") };
    assert_eq!((right.role, right.by), (Commenter, By::Level(at_document(), Via::Group(group()))));
    for other in [
        person(20, 25, there(30)),
        person(35, 36, there(35)),
        person(30, 35, Stand::Absent(Life::after(36))),
        Person { left: 35, ..member.clone() },
        Person { group_lives: [].into(), ..member.clone() },
    ] {
        assert_eq!(
            stored(&place, &other),
            Decision::Closed(match other.left {
                0 => Past::Stranger,
                left => Past::Ended(left),
            })
        );
    }
    // The right stands in the document, and goes with it when the folder goes.
    let mut broken = place.clone();
    if let Subject::Document { way, .. } = &mut broken.subject {
        *way = Way { folders: vec![], top: Top::Missing(Life::after(39)) };
    }
    assert_eq!(stored(&broken, &member), Decision::Absent);
    // A right that names the user comes first.
    let named = Person { at: granted(at_document(), Viewer, 5).at, ..member };
    assert_eq!(role(&stored(&place, &named)), Some(Viewer));
}
