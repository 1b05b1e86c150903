use super::{Known, Merge};
use crate::wire::read;

/// Client and clock of the character, and its origin.
type Character = (u8, u8, Option<(u8, u8)>);

/// An update with a section of one character for each client and clock, with its origin.
fn update(items: &[Character], deletions: &[(u8, u8, u8)]) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(items.len()).unwrap()];
    for (client, clock, origin) in items {
        bytes.extend([1, *client, *clock]);
        match origin {
            Some((client, clock)) => bytes.extend([0x84, *client, *clock]),
            None => bytes.extend([4, 1, 1, b'r']),
        }
        bytes.extend([1, b'x']);
    }
    bytes.push(u8::try_from(deletions.len()).unwrap());
    for (client, clock, len) in deletions {
        bytes.extend([*client, 1, *clock, *len]);
    }
    bytes
}

/// The positions of the waiting updates, and the known clocks.
fn merged(updates: &[Vec<u8>]) -> (Vec<usize>, Vec<(u64, u32)>) {
    let mut merge = Merge::into(Known::default());
    for update in updates {
        merge.add(&read(update, 1 << 20).expect("read")).expect("merged");
    }
    let (known, waiting) = merge.finish();
    (waiting, known.clocks())
}

#[test]
fn each_comes_behind_what_it_needs() {
    let updates = [
        update(&[(1, 2, None)], &[]),
        update(&[(2, 0, Some((1, 2)))], &[]),
        update(&[(1, 1, None)], &[]),
        update(&[(3, 5, None)], &[]),
        update(&[(1, 0, None)], &[]),
        update(&[], &[(2, 0, 1)]),
        update(&[], &[(2, 0, 2)]),
    ];
    assert_eq!(merged(&updates), (vec![3, 6], vec![(1, 3), (2, 1)]));
}

#[test]
fn updates_that_need_parts_of_each_other_are_merged() {
    let one = [1, 2, 1, 0, 4, 1, 1, b'r', 1, b'a', 0x84, 2, 0, 1, b'c', 0].to_vec();
    let other = update(&[(2, 0, Some((1, 0)))], &[]);
    for updates in [[one.clone(), other.clone()], [other, one]] {
        assert_eq!(merged(&updates), (vec![], vec![(1, 2), (2, 1)]));
    }
}

#[test]
fn what_needs_itself_waits_and_what_is_before_it_does_not() {
    let circle = update(&[(2, 0, Some((3, 0))), (3, 0, Some((2, 0))), (1, 0, None)], &[]);
    let own = update(&[(4, 0, Some((4, 0)))], &[]);
    assert_eq!(merged(&[circle, own]), (vec![0, 1], vec![(1, 1)]));
}

#[test]
fn a_long_log_in_reverse_is_merged_at_once() {
    let updates: Vec<Vec<u8>> = (0..20_000_u32)
        .rev()
        .map(|at| {
            let mut bytes = vec![1, 1, 1];
            super::number(&mut bytes, u64::from(at));
            bytes.extend([4, 1, 1, b'r', 1, b'x', 0]);
            bytes
        })
        .collect();
    assert_eq!(merged(&updates), (vec![], vec![(1, 20_000)]));
}
