//! Updates made item by item: well formed, with anything where peers expect something else.

use proptest::{
    collection::vec,
    option,
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use maker::Maker;

mod maker;

/// A part of updates in the making.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// An item: by a client, beside others or somewhere, with content.
    Item {
        client: u8,
        origin: Option<Ref>,
        right: Option<Ref>,
        place: Place,
        key: Option<u8>,
        content: Content,
    },
    /// Collected content.
    Gone {
        client: u8,
        len: u8,
    },
    /// Clocks that nothing has.
    Gap {
        client: u8,
        len: u8,
    },
    /// The client writes other things at clocks that it has used.
    Back {
        client: u8,
        len: u8,
    },
    Delete {
        at: Ref,
        len: u8,
    },
    /// The end of an update.
    Send,
    /// An earlier update once more.
    Again(u8),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Ref {
    /// Within what was made before.
    Generated(u8, u8),
    /// A type that was made before.
    Type(u8),
    Any(u8, u8),
    /// The item itself, or one after it.
    Own(u8),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Root(u8),
    In(Ref),
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Text(&'static str),
    Values(u8),
    Deleted(u8),
    Bytes,
    Embed(&'static str),
    Format(&'static str, &'static str),
    Type(u8),
    Document,
}

impl Content {
    /// Whether it has several clocks.
    fn is_long(&self) -> bool {
        match self {
            Self::Text(text) => text.len() > 1,
            Self::Values(number) => *number > 1,
            _ => false,
        }
    }
}

const JSON: [&str; 5] = ["true", "null", r#"{"a":[1]}"#, "undefined", "{"];
const TEXTS: [&str; 6] = ["a", "bc", "def", "", "é", "€x"];
const ROOTS: [&str; 2] = ["default", "m"];

fn reference() -> impl Strategy<Value = Ref> {
    prop_oneof![
        60 => (any::<u8>(), any::<u8>()).prop_map(|(at, unit)| Ref::Generated(at, unit)),
        10 => any::<u8>().prop_map(Ref::Type),
        10 => (0_u8..5, 0_u8..10).prop_map(|(client, clock)| Ref::Any(client, clock)),
        1 => Just(Ref::Own(0)),
    ]
}

fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        80 => (0..3_usize).prop_map(|at| Content::Text(TEXTS[at])),
        4 => (4..TEXTS.len()).prop_map(|at| Content::Text(TEXTS[at])),
        1 => Just(Content::Text("")),
        20 => (1_u8..4).prop_map(Content::Values),
        1 => Just(Content::Values(0)),
        10 => (1_u8..4).prop_map(Content::Deleted),
        4 => Just(Content::Bytes),
        8 => (0..3_usize).prop_map(|at| Content::Embed(JSON[at])),
        1 => (0..JSON.len()).prop_map(|at| Content::Embed(JSON[at])),
        12 => (0..2_usize, 0..3_usize).prop_map(|(key, at)| Content::Format(["b", "i"][key], JSON[at])),
        40 => prop_oneof![0..5_u8, Just(6)].prop_map(Content::Type),
        1 => Just(Content::Type(5)),
        1 => Just(Content::Document),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let place = prop_oneof![
        3 => prop_oneof![4 => Just(0_u8), 1 => Just(1)].prop_map(Place::Root),
        3 => any::<u8>().prop_map(|at| Place::In(Ref::Type(at))),
        1 => reference().prop_map(Place::In),
    ];
    let item = (
        0_u8..5,
        option::weighted(0.6, reference()),
        option::weighted(0.3, reference()),
        place,
        option::weighted(0.3, 0_u8..2),
        content(),
    );
    prop_oneof![
        60 => item.prop_map(|(client, origin, right, place, key, content)| Step::Item {
            client, origin, right, place, key, content
        }),
        2 => (0_u8..5, 1_u8..4).prop_map(|(client, len)| Step::Gone { client, len }),
        1 => (0_u8..5, 1_u8..3).prop_map(|(client, len)| Step::Gap { client, len }),
        1 => (0_u8..5, 1_u8..4).prop_map(|(client, len)| Step::Back { client, len }),
        8 => (reference(), 0_u8..5).prop_map(|(at, len)| Step::Delete { at, len }),
        25 => Just(Step::Send),
        2 => any::<u8>().prop_map(Step::Again),
    ]
}

/// Steps, and an order of updates: 0 as they were made.
pub(crate) fn steps() -> impl Strategy<Value = (Vec<Step>, u64)> {
    (vec(step(), 4..40), prop_oneof![4 => Just(0_u64), 1 => any::<u64>()])
}

/// Updates of strangers.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    pub(crate) updates: Vec<Vec<u8>>,
    /// Whether a client wrote several things at the same clock. Which of them a document has depends
    /// on chance, also in Yjs.
    pub(crate) is_double: bool,
    /// Whether they come in another order than they were made.
    pub(crate) is_late: bool,
    /// Whether there may be several values in an item under a key, and one between neighbours there.
    pub(crate) is_between: bool,
}

/// The updates that these steps make.
pub(crate) fn made((steps, order): &(Vec<Step>, u64)) -> Generated {
    let mut maker = Maker::default();
    steps.iter().for_each(|step| maker.step(step));
    maker.send();
    let mut updates = maker.updates;
    let mut dice = *order;
    if dice > 0 {
        for at in (1..updates.len()).rev() {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            updates.swap(at, (dice >> 33) as usize % (at + 1));
        }
    }
    let is_double = steps.iter().any(|step| matches!(step, Step::Back { .. }));
    let is_between = steps.iter().any(|step| matches!(step, Step::Item { key: Some(_), .. }))
        && steps.iter().any(|step| matches!(step, Step::Item { content, .. } if content.is_long()))
        && steps.iter().any(|step| matches!(step, Step::Item { right: Some(_), .. }));
    Generated { updates, is_double, is_late: *order > 0, is_between }
}

/// Steps to take, and to take fewer of.
pub(crate) type Tree = Box<dyn ValueTree<Value = (Vec<Step>, u64)>>;

pub(crate) fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

pub(crate) fn tree(runner: &mut TestRunner) -> Tree {
    steps().boxed().new_tree(runner).expect("steps")
}

/// The smallest updates found that still fail.
pub(crate) fn smallest(
    mut tree: Tree,
    mut holds: impl FnMut(&Generated) -> Result<(), String>,
) -> (Generated, String) {
    let first = made(&tree.current());
    let failure = holds(&first).err().unwrap_or_else(|| "it does not fail again".to_owned());
    let mut smallest = (first, failure);
    let mut goes_on = tree.simplify();
    while goes_on {
        let tried = made(&tree.current());
        goes_on = match holds(&tried) {
            Err(failure) => {
                smallest = (tried, failure);
                tree.simplify()
            }
            Ok(()) => tree.complicate(),
        };
    }
    smallest
}
