//! The keyring of a target with the keys of the source: secrets in items stay sealed, and tokens
//! stay valid.

use keyring::{FIRST, Keyring};

/// The keys of the target, then those of the source. A key of the target with an id of the source
/// goes: two keys may not share one, and in an empty place it has sealed nothing.
///
/// # Errors
/// A sentence: one of them is damaged.
pub(crate) fn joined(target: &str, source: &str) -> Result<String, String> {
    let (mut all, source) = (keys(target), keys(source));
    all.retain(|(id, _)| source.iter().all(|(other, _)| other != id));
    all.extend(source);
    let all: Vec<String> = all.into_iter().map(|(id, secret)| format!("{id}={secret}")).collect();
    let text = all.join(",");
    Keyring::parse(&text).map_err(|e| format!("the keyring is damaged: {e}"))?;
    Ok(text)
}

/// Whether the keyring of the target has all keys of the source.
pub(crate) fn has_all(target: &str, source: &str) -> bool {
    let own = keys(target);
    keys(source).iter().all(|key| own.contains(key))
}

/// Ids and secrets.
fn keys(text: &str) -> Vec<(&str, &str)> {
    let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    entries.map(|entry| entry.split_once('=').unwrap_or((FIRST, entry))).collect()
}

#[cfg(test)]
mod tests {
    use super::{has_all, joined};

    #[test]
    fn the_target_signs_with_its_key_and_opens_what_the_source_sealed() {
        let secrets = ["a", "b", "c"].map(|letter| letter.repeat(32));
        let [a, b, c] = secrets.each_ref().map(String::as_str);
        let source = format!("local={b}");
        assert_eq!(joined(a, &source), Ok(format!("k1={a},local={b}")));
        assert!(has_all(&joined(a, &source).unwrap(), &source) && has_all(b, &format!("k1={b}")));
        assert!(!has_all(a, &source) && !has_all(&format!("local={a}"), &source));
        assert_eq!(joined("", &source), Ok(source.clone()));
        let again = format!("k1={a},local={b}");
        assert_eq!(joined(&again, &source), Ok(again.clone()), "once");
        assert_eq!(joined(&format!("k2={c},k1={a}"), b), Ok(format!("k2={c},k1={b}")));
        assert!(joined(a, "local=short").unwrap_err().contains("32 characters"));
    }
}
