//! Folders: what lies in one is a room, which nobody enters through another one.

/// Most Rust files beside each other.
const BESIDE: usize = 12;

/// Folders with more files, with their limits and why. May only shrink.
const CROWDED: &[(&str, usize, &str)] = &[
    ("shared/crdt/src", 21, "small parts of one algorithm"),
    ("shared/model/src", 31, "one file for each subject"),
    ("shared/model/src/comment", 19, "parts of comments, of which archives are a folder"),
    ("shared/model/src/values", 15, "one file for each type"),
    ("shared/notification/src", 17, "what the folders of windows, mails and intake share"),
    ("shared/service/src", 17, "what calls, workers and sockets share"),
    ("shared/store/src", 25, "one file for each feature"),
    ("shared/tenancy/src/layout/entities", 18, "one file for each subject"),
    ("shared/tenancy/src/scopes", 14, "one file for each scope"),
    ("tests/src", 15, "one file for each part of the harness"),
    ("tests/src/histories", 15, "one file for each part of the judge"),
    ("tools/reference/src", 20, "one file for each subject of the contract"),
    ("tools/xtask/src", 13, "one file for each command"),
];

/// Crates and programs with circles of folders, with the number of parts in these and why. May only
/// shrink.
const CIRCLES: &[(&str, usize, &str)] = &[
    ("shared/crdt", 6, "values and texts share helpers that lie within them"),
    ("shared/model", 12, "resources of one subject are members of those of another"),
    ("shared/store", 4, "features keep a part of what another one deletes or erases"),
    ("shared/tenancy", 3, "scopes read and write, and both need to know the scope"),
];

/// The faults of folders with so many files each.
pub(super) fn beside(counts: &[(String, usize)]) -> Vec<String> {
    let faults = counts.iter().filter_map(|(dir, count)| judge_beside(dir, *count, CROWDED));
    faults.chain(needless(counts, CROWDED, BESIDE, "CROWDED")).collect()
}

/// The faults of crates and programs with these circles.
pub(super) fn circles(all: &[(String, Vec<Vec<String>>)]) -> Vec<String> {
    let faults = all.iter().filter_map(|(dir, circles)| judge_circles(dir, circles, CIRCLES));
    faults.chain(needless(all, CIRCLES, 0, "CIRCLES")).collect()
}

/// Exceptions of places that are gone, or that allow no more than the rule does.
fn needless<T>(
    places: &[(String, T)],
    excused: &[(&str, usize, &str)],
    rule: usize,
    list: &str,
) -> Vec<String> {
    let is_needed = |(dir, most, _): &&(&str, usize, &str)| {
        *most > rule && places.iter().any(|(name, _)| name == dir)
    };
    let others = excused.iter().filter(|excuse| !is_needed(excuse));
    others.map(|(dir, ..)| format!("{dir}: needs no exception; take it out of {list}")).collect()
}

fn judge_beside(dir: &str, count: usize, excused: &[(&str, usize, &str)]) -> Option<String> {
    let excuse = excused.iter().find(|(name, ..)| *name == dir);
    match excuse {
        // Families have a file for each function.
        _ if dir.starts_with("functions/") => None,
        Some((_, most, _)) if count > *most => Some(format!(
            "{dir}: has {count} files beside each other and may not grow beyond {most}"
        )),
        Some((_, most, _)) if count < *most => {
            Some(format!("{dir}: has {count} files by now; change its line of CROWDED"))
        }
        None if count > BESIDE => Some(format!(
            "{dir}: has {count} files beside each other, {BESIDE} are allowed; make folders of what \
             belongs together"
        )),
        _ => None,
    }
}

fn judge_circles(
    dir: &str,
    circles: &[Vec<String>],
    excused: &[(&str, usize, &str)],
) -> Option<String> {
    let parts: usize = circles.iter().map(Vec::len).sum();
    let most = excused.iter().find(|(name, ..)| *name == dir).map_or(0, |(_, most, _)| *most);
    if parts < most {
        return Some(format!(
            "{dir}: {parts} parts of folders need each other by now; change its line of CIRCLES"
        ));
    }
    let names: Vec<String> = circles.iter().map(|circle| circle.join(", ")).collect();
    let fault = || {
        format!(
            "{dir}: folders need each other, {parts} parts where {most} are excused: {}; move what they \
         share below them",
            names.join("; ")
        )
    };
    (parts > most).then(fault)
}

#[cfg(test)]
mod tests {
    use super::{BESIDE, judge_beside, judge_circles, needless};

    #[test]
    fn a_crowded_folder_is_refused_and_an_excuse_only_shrinks() {
        let excused = [("shared/x/src", 20, "a reason")];
        let judge = |dir: &str, count| judge_beside(dir, count, &excused).is_some();
        assert!(!judge("server/x/src", BESIDE) && judge("server/x/src", BESIDE + 1));
        assert!(!judge("functions/x/src", 40), "a file for each function");
        assert!(
            judge("shared/x/src", 21) && !judge("shared/x/src", 20) && judge("shared/x/src", 19)
        );
    }

    #[test]
    fn an_exception_of_nothing_is_taken_out() {
        let places = [("shared/x".to_owned(), ()), ("shared/y".to_owned(), ())];
        let excused = [("shared/x", 13, "a reason"), ("shared/y", 12, "a reason")];
        let faults = needless(&places, &excused, BESIDE, "X");
        assert!(matches!(&faults[..], [one] if one.starts_with("shared/y:")), "{faults:?}");
        assert!(needless(&places[..1], &excused[..1], BESIDE, "X").is_empty());
        assert_eq!(needless(&places[1..], &excused[..1], BESIDE, "X").len(), 1);
    }

    #[test]
    fn a_circle_of_folders_is_refused_unless_it_is_excused() {
        let excused = [("shared/x", 3, "a reason")];
        let circle = |parts: usize| vec![(0..parts).map(|n| format!("{n}/")).collect::<Vec<_>>()];
        let judge = |dir: &str, parts| judge_circles(dir, &circle(parts), &excused).is_some();
        assert!(judge("server/x", 2) && judge_circles("server/x", &[], &excused).is_none());
        assert!(judge("shared/x", 4) && !judge("shared/x", 3) && judge("shared/x", 2));
    }
}
