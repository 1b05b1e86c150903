//! The smallest history of each wrong model: the right one takes its answers, the wrong one not.

use std::collections::BTreeSet;

use reference::{
    Access, Actor, Answer, Asked, At, By, Call, Doc, Folder, Generator, Holder, KeyKind, Level,
    Listed, Mark, Mutant, Org, Refusal, Role, ThreadNo, Tok, User, Visibility, Want, What, Worlds,
};

const ORG: Org = Org(0);
/// At the top.
const TOP: At = At(ORG, Doc(0));
/// In the folder 0.
const IN: At = At(ORG, Doc(1));
const DOC: Level = Level::Document(Doc(0));
const THREAD: ThreadNo = ThreadNo(0);
const EVE: Actor = Actor::Holder(Tok(0));

/// A world, in which it is said that all of its answers were right.
struct Story(Worlds);

impl Story {
    fn new(kind: KeyKind, mutant: Option<Mutant>) -> Self {
        let mut story = Self(Worlds::new(kind, 1_000_000, mutant));
        for asked in Generator::scene() {
            story.judge(asked.by, asked.call, &Answer::Done);
        }
        story
    }

    fn fits(&mut self, by: Actor, call: Call, answer: &Answer) -> bool {
        self.0.advance(1);
        self.0.judge(&Asked { by, call }, answer).is_ok()
    }

    fn judge(&mut self, by: Actor, call: Call, answer: &Answer) {
        self.0.advance(1);
        self.0.judge(&Asked { by, call }, answer).expect("it is right");
    }

    fn did(&mut self, call: Call) {
        self.judge(Actor::Server, call, &Answer::Done);
    }

    /// Eve has a token with these rights.
    fn token(&mut self, rights: &[(Level, Role)]) {
        let rights = rights.iter().map(|(level, role)| (ORG, *level, *role)).collect();
        self.did(Call::Issue(Tok(0), User::Eve, rights));
    }

    /// Whether it is right that Eve cannot see a document.
    fn is_hidden(&mut self, at: At) -> bool {
        let hidden = Answer::Refused(Refusal::NotFound);
        self.fits(EVE, Call::Read(at, What::Presence), &hidden)
    }
}

fn by(from: User, mark: u16) -> By {
    By { from, mark: Mark(mark), mention: None, notify: true, activity: false, long: false }
}

fn thread(from: User, mark: u16) -> Call {
    Call::Thread(TOP, THREAD, Visibility::Public, by(from, mark))
}

fn reply(from: User, mark: u16) -> Call {
    Call::Comment(TOP, THREAD, by(from, mark))
}

fn told(marks: &[u16]) -> Answer {
    Answer::Told(marks.iter().map(|mark| Mark(*mark)).collect())
}

/// Whether the model takes the right end of the smallest history of a mutant.
fn takes(mutant: Mutant, is_wrong: bool) -> bool {
    let with = is_wrong.then_some(mutant);
    let server = Actor::Server;
    let open = || Story::new(KeyKind::Open, with);
    let closed = || Story::new(KeyKind::Restricted, with);
    let gone = Refusal::NotFound;
    match mutant {
        Mutant::MissingFolderIsDefault => {
            let mut story = open();
            story.token(&[]);
            story.did(Call::FolderAccess(ORG, Folder(0), Some(Access::Restricted)));
            story.did(Call::DeleteFolder(ORG, Folder(0)));
            story.is_hidden(IN)
        }
        Mutant::DeletedOrganizationLives => {
            let mut story = open();
            story.token(&[]);
            story.did(Call::DisableOrganization(ORG, true));
            story.did(Call::DeleteOrganization(ORG));
            story.is_hidden(TOP)
        }
        Mutant::GrantForgetsDeparture => {
            let mut story = closed();
            story.token(&[(DOC, Role::Editor)]);
            story.judge(
                server,
                Call::RemoveUser(ORG, Level::Organization, User::Eve),
                &Answer::Refused(Refusal::Failed),
            );
            let eve = Holder::User(User::Eve);
            story.did(Call::Grant(ORG, Level::Organization, eve, Role::Viewer, None));
            story.is_hidden(TOP)
        }
        Mutant::OrganizationThreadsArePublic => {
            let mut story = open();
            story.token(&[]);
            let visibility = Visibility::Organization(ORG);
            story.did(Call::Thread(TOP, THREAD, visibility, by(User::Ada, 1)));
            story.fits(EVE, Call::Read(TOP, What::Threads), &Answer::Threads(vec![]))
        }
        Mutant::ActivitiesAreNotForgotten => {
            let mut story = open();
            story.did(Call::Activity(TOP, User::Bob, User::Ada, Mark(1)));
            story.did(Call::Erase(User::Ada));
            let (marks, named) = (BTreeSet::from([Mark(1)]), BTreeSet::from([User::Bob]));
            story.fits(server, Call::Activities(ORG), &Answer::Activities(marks, named))
        }
        Mutant::OnlyMembersDepart | Mutant::InsideOutlivesDeparture => {
            let mut story = closed();
            story.did(Call::AddUser(ORG, DOC, User::Eve, None));
            story.token(&[]);
            story.judge(
                server,
                Call::RemoveUser(ORG, Level::Organization, User::Eve),
                &Answer::Refused(Refusal::Failed),
            );
            story.is_hidden(TOP)
        }
        Mutant::ExportWithoutArchive => {
            let mut story = open();
            let long = |mark| By { long: true, ..by(User::Ada, mark) };
            story.did(Call::Thread(TOP, THREAD, Visibility::Public, long(1)));
            story.did(Call::Comment(TOP, THREAD, long(2)));
            story.did(reply(User::Bob, 3));
            let all = Answer::Marks(BTreeSet::from([Mark(1), Mark(2), Mark(3)]));
            story.fits(server, Call::Export(ORG, User::Ada), &all)
        }
        Mutant::PlacingAsksNearest => {
            let mut story = open();
            story.did(Call::DeleteFolder(ORG, Folder(0)));
            let into = Call::MoveDocument(TOP, Some(Folder(1)));
            story.fits(server, into, &Answer::Refused(gone))
        }
        Mutant::InvolvementReachesDeparted => {
            let mut story = open();
            story.did(thread(User::Ada, 1));
            story.did(Call::RemoveUser(ORG, Level::Organization, User::Ada));
            story.did(reply(User::Bob, 2));
            story.fits(server, Call::Inbox(ORG, User::Ada, true), &told(&[]))
        }
        Mutant::ExpiredGrantsAreTold => {
            let mut story = open();
            let eve = Holder::User(User::Eve);
            story.did(Call::Grant(ORG, DOC, eve, Role::Viewer, Some(5)));
            story.0.advance(11_000);
            story.did(thread(User::Bob, 1));
            story.fits(server, Call::Inbox(ORG, User::Eve, true), &told(&[]))
        }
        Mutant::OneMemoryForChannels => {
            let mut story = open();
            let set = |inbox, mail| Call::Preference(ORG, None, User::Ada, inbox, mail);
            story.did(set(Some(Want::None), None));
            story.did(thread(User::Bob, 1));
            story.did(set(Some(Want::All), None));
            story.did(set(None, Some(Want::None)));
            story.fits(server, Call::Inbox(ORG, User::Ada, true), &told(&[]))
        }
        Mutant::GroupKeepsMembers => {
            let mut story = open();
            story.did(Call::AddGroup(ORG));
            story.did(Call::JoinGroup(ORG, User::Ada));
            story.did(Call::DeleteGroup(ORG));
            story.did(Call::AddGroup(ORG));
            let nobody = Answer::Group(Some(BTreeSet::new()));
            story.fits(server, Call::Group(ORG), &nobody)
        }
        Mutant::GroupRightOutlivesGroup => {
            let mut story = closed();
            story.did(Call::AddUser(ORG, Level::Organization, User::Eve, None));
            story.did(Call::AddGroup(ORG));
            story.did(Call::JoinGroup(ORG, User::Eve));
            story.did(Call::Grant(ORG, DOC, Holder::Group, Role::Viewer, None));
            story.did(Call::DeleteGroup(ORG));
            story.token(&[]);
            story.is_hidden(TOP)
        }
        Mutant::PreferenceOutlivesDocument => {
            let mut story = open();
            let mute = Some(Want::None);
            story.did(Call::Preference(ORG, Some(Doc(0)), User::Ada, mute, mute));
            story.did(Call::DeleteDocument(TOP));
            story.did(Call::AddDocument(TOP, None));
            let asked = Call::Preferences(ORG, Some(Doc(0)), User::Ada);
            story.fits(server, asked, &Answer::Wanted(Some([Want::All, Want::Mine])))
        }
    }
}

#[test]
fn each_mutant_is_wrong_where_the_model_is_right() {
    for mutant in Mutant::ALL {
        assert!(takes(mutant, false), "{mutant:?}: the model is wrong itself");
        assert!(!takes(mutant, true), "{mutant:?} is not found");
    }
}

#[test]
fn what_is_in_a_deleted_folder_may_be_moved_out_or_gone_and_is_never_shown_to_end_users() {
    let shown = Answer::Threads(vec![Listed { thread: THREAD, marks: vec![Mark(1)], whole: true }]);
    let mut story = Story::new(KeyKind::Open, None);
    story.token(&[]);
    story.did(Call::Thread(IN, THREAD, Visibility::Public, by(User::Ada, 1)));
    story.judge(EVE, Call::Read(IN, What::Threads), &shown);
    story.did(Call::DeleteFolder(ORG, Folder(0)));
    let read = Call::Read(IN, What::Threads);
    assert!(!story.fits(EVE, read.clone(), &shown));
    assert!(story.fits(Actor::Server, read.clone(), &shown), "the server may still see it");
    let mut gone = Story(story.0.clone());
    let not_found = Answer::Refused(Refusal::NotFound);
    gone.judge(Actor::Server, Call::MoveDocument(IN, None), &not_found);
    assert!(gone.is_hidden(IN));
    story.did(Call::MoveDocument(IN, None));
    story.judge(EVE, read, &shown);
}

#[test]
fn a_held_call_counts_at_one_moment_of_its_time() {
    let mut story = Story::new(KeyKind::Open, None);
    let held = story.0.begin(&Asked { by: Actor::Server, call: thread(User::Ada, 1) });
    story.did(Call::DeleteDocument(TOP));
    story.did(Call::AddDocument(TOP, None));
    story.0.release(held, &Answer::Done).expect("it was there before and after");
    story.did(Call::DeleteDocument(TOP));
    let held = story.0.begin(&Asked { by: Actor::Server, call: thread(User::Ada, 2) });
    story.0.release(held, &Answer::Done).expect_err("there was no document at any moment");
}

#[test]
fn a_lost_answer_leaves_both_worlds() {
    let mut story = Story::new(KeyKind::Restricted, None);
    story.token(&[(DOC, Role::Editor)]);
    story.judge(Actor::Server, Call::Revoke(ORG, DOC, Holder::User(User::Eve)), &Answer::Lost);
    assert_eq!(story.0.count(), 2);
    assert!(story.is_hidden(TOP), "perhaps it was executed");
    assert_eq!(story.0.count(), 1, "and then it was");
    assert!(!story.fits(EVE, Call::Read(TOP, What::Presence), &Answer::Users(BTreeSet::new())));
}
