//! Names of functions and families as identifiers.

/// `folders-access-update` as `FoldersAccessUpdate`.
pub fn pascal(words: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    words.split(['-', '_', '.']).map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::pascal;

    #[test]
    fn identifiers_have_no_punctuation() {
        assert_eq!(pascal("folders-access-update"), "FoldersAccessUpdate");
        assert_eq!(pascal("user-groups"), "UserGroups");
        assert_eq!(pascal("workspace.api_key_create"), "WorkspaceApiKeyCreate");
    }
}
