//! Readable differences of a file from its expected text.

/// Maximum number of shown lines per difference, and of differences.
const LINES: usize = 6;
const PLACES: usize = 5;
/// Maximum distance between texts before the rest counts as one difference.
const DRIFT: usize = 400;
/// Equal lines needed to resynchronize.
const STEP: usize = 3;

/// One difference of two texts.
struct Difference<'a> {
    line: usize,
    found: &'a [&'a str],
    wanted: &'a [&'a str],
}

/// The first difference of two texts.
pub(crate) fn difference(name: &str, found: &str, wanted: &str) -> Option<String> {
    if found == wanted {
        return None;
    }
    let (found, wanted): (Vec<&str>, Vec<&str>) =
        (found.lines().collect(), wanted.lines().collect());
    let places = places(&found, &wanted);
    let mut report = format!("{name}: is not what `cargo xtask generate` writes:");
    for place in places.iter().take(PLACES) {
        report += &format!("\n  line {}", place.line);
        report += &shown('-', place.found);
        report += &shown('+', place.wanted);
    }
    if places.len() > PLACES {
        report += &format!("\n  and {} places more", places.len() - PLACES);
    }
    Some(report)
}

fn shown(sign: char, lines: &[&str]) -> String {
    let mut shown: String =
        lines.iter().take(LINES).map(|line| format!("\n    {sign} {line}")).collect();
    if lines.len() > LINES {
        shown += &format!("\n    {sign} … {} lines more", lines.len() - LINES);
    }
    shown
}

fn places<'a>(found: &'a [&'a str], wanted: &'a [&'a str]) -> Vec<Difference<'a>> {
    let (mut i, mut j) = (0, 0);
    let mut places = Vec::new();
    while i < found.len() || j < wanted.len() {
        if i < found.len() && found.get(i) == wanted.get(j) {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let (a, b) = in_step(&found[i..], &wanted[j..]);
        places.push(Difference { line: i + 1, found: &found[i..i + a], wanted: &wanted[j..j + b] });
        (i, j) = (i + a, j + b);
    }
    places
}

/// Minimum numbers of lines of each to skip until they agree again.
fn in_step(found: &[&str], wanted: &[&str]) -> (usize, usize) {
    let agree = |a: usize, b: usize| {
        (0..STEP).all(|n| found.get(a + n) == wanted.get(b + n))
            && a <= found.len()
            && b <= wanted.len()
    };
    let skips = (1..=DRIFT).flat_map(|drift| (0..=drift).map(move |a| (a, drift - a)));
    skips.into_iter().find(|(a, b)| agree(*a, *b)).unwrap_or((found.len(), wanted.len()))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(difference("f", "a\nb\n", "a\nb\n"), None);
    }

    #[test]
    fn each_place_is_shown_with_its_lines_and_no_others() {
        let found = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let wanted = "a\nx\nc\nd\ne\nf\ng\ny\nz\nh\n";
        let shown = difference("f", found, wanted).unwrap();
        let lines: Vec<&str> = shown.lines().skip(1).map(str::trim).collect();
        assert_eq!(lines, ["line 2", "- b", "+ x", "line 8", "+ y", "+ z"]);
    }

    #[test]
    fn what_is_missing_at_the_end_is_shown() {
        let shown = difference("f", "a\n", "a\nb\n").unwrap();
        assert!(shown.ends_with("line 2\n    + b"), "{shown}");
        let shown = difference("f", "", "a\n").unwrap();
        assert!(shown.ends_with("line 1\n    + a"), "{shown}");
        let shown = difference("f", "a\nb\nc\n", "a\n").unwrap();
        assert!(shown.ends_with("line 2\n    - b\n    - c"), "{shown}");
    }
}
