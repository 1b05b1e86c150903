//! The description of an operation: the head of its file.
//!
//! ```text
//! //! `POST /v2/folders/add`: one entry per folder.
//! //!
//! //! A folder may lie in one that comes before it in the same request.
//! //!
//! //! # Errors
//! //! - NOT_FOUND: the organization does not exist.
//! //!
//! //! # Events
//! //! `comment.add`
//! ```

use service::Spec;

use crate::Repository;

/// The documentation of an operation.
#[derive(Debug, Default, PartialEq)]
pub(super) struct About {
    paragraphs: Vec<String>,
}

impl About {
    /// The head of an operation's file.
    pub(super) fn of(repository: &Repository<'_>, spec: &Spec) -> Result<Self, String> {
        let (family, module) = spec.name.split_once('.').unwrap_or_default();
        let file = format!("functions/{family}/src/{module}.rs");
        let text = (repository.read)(&file)?.unwrap_or_default();
        match text.starts_with(&format!("//! `POST {}`: ", spec.paths[0])) {
            true => Ok(Self::read(&text)),
            false => Err(format!("{file}: does not begin with //! `POST {}`: …", spec.paths[0])),
        }
    }

    fn read(text: &str) -> Self {
        let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
        let mut blocks: Vec<String> = vec![String::new()];
        for line in lines {
            let Some(block) = blocks.last_mut() else { break };
            match line {
                "" => blocks.push(String::new()),
                _ if block.is_empty() => block.push_str(line),
                _ if line.starts_with("- ") || is_title(block) => *block += &format!("\n{line}"),
                _ => *block += &format!(" {line}"),
            }
        }
        let mut blocks = blocks.into_iter();
        let head = blocks.next().unwrap_or_default();
        let what = head.split_once("`: ").map_or(head.as_str(), |(_, what)| what);
        let mut paragraphs = vec![sentence(what.trim_end_matches('.'))];
        paragraphs.extend(blocks.map(|block| heading(&block)));
        Self { paragraphs }
    }

    /// The description of the operation, which ends with a link to its contract.
    pub(super) fn text(&self, pages: bool, contract: &str) -> String {
        let mut paragraphs = self.paragraphs.clone();
        if pages {
            paragraphs.push("Paged by `pageToken`.".to_owned());
        }
        paragraphs.push(contract.to_owned());
        paragraphs.join("\n\n")
    }
}

/// Whether a heading has no content yet.
fn is_title(block: &str) -> bool {
    block.starts_with("# ") && !block.contains('\n')
}

/// With a capital letter and a full stop.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// `# Errors` as a line in bold.
fn heading(block: &str) -> String {
    match block.strip_prefix("# ").and_then(|block| block.split_once('\n')) {
        Some((title, rest)) => format!("**{title}**\n\n{rest}"),
        None => block.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::About;

    #[test]
    fn the_head_of_a_file_becomes_the_description() {
        let head = "//! `POST /v2/x/add`: one entry per thing, which\n//! may be large (or not).\n\
            //!\n//! Things stay\n//! where they are.\n//!\n//! # Errors\n//! - NOT_FOUND: it\n//!   is gone.\n\
            //! - ABORTED: it moved.\n//!\n//! # Events\n//! `a`, `b`\n\nuse x;\n";
        let text = About::read(head).text(false, "[Contract](/docs)");
        let wanted = "One entry per thing, which may be large (or not).\n\nThings stay where they are.\n\n\
            **Errors**\n\n- NOT_FOUND: it is gone.\n- ABORTED: it moved.\n\n**Events**\n\n`a`, `b`\n\n\
            [Contract](/docs)";
        assert_eq!(text, wanted);
    }
}
