//! Markdown as this repository writes it: the anchors and links of a page, and the page as HTML.

mod html;
mod outline;

use std::borrow::Cow;

pub use html::{escaped, html};
pub use outline::{Anchor, Link, anchors, headings, links};

/// A page of the documentation.
#[derive(Clone, Debug)]
pub struct Page {
    /// File of the page below the root of the repository, such as `docs/LIVE.md`.
    pub file: Cow<'static, str>,
    /// Text of the page.
    pub text: Cow<'static, str>,
}

/// The address at which a page is served, such as `/docs/contract/comments` or
/// `/docs/decisions/022`; of the folder of decisions, that of their list.
pub fn address(file: &str) -> Option<String> {
    let below = file.strip_prefix("docs/")?;
    let Some(name) = below.strip_suffix(".md") else {
        return matches!(below, "contract" | "decisions").then(|| format!("/docs/{below}/"));
    };
    match name.split_once('/') {
        None => Some(format!("/docs/{name}")),
        Some(("contract", "README")) => Some("/docs/contract/".to_owned()),
        Some(("contract", page)) => Some(format!("/docs/contract/{page}")),
        Some(("decisions", page)) => {
            let number = page.split('-').next().unwrap_or_default();
            Some(format!("/docs/decisions/{number}"))
        }
        Some(_) => None,
    }
}

/// A relative link of a page as the file below the root of the repository that it names, and the
/// fragment in that file.
///
/// None if the link leads to another site, or out of the repository.
pub fn resolve<'a>(file: &str, link: &'a str) -> Option<(String, Option<&'a str>)> {
    let (path, fragment) = match link.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (link, None),
    };
    if path.contains(':') || path.starts_with('/') {
        return None;
    }
    if path.is_empty() {
        return Some((file.to_owned(), fragment));
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some((parts.join("/"), fragment))
}

#[cfg(test)]
mod tests {
    use super::{address, resolve};

    #[test]
    fn pages_have_short_addresses() {
        let address = |file| address(file).unwrap_or_default();
        assert_eq!(address("docs/LIVE.md"), "/docs/LIVE");
        assert_eq!(address("docs/contract/README.md"), "/docs/contract/");
        assert_eq!(address("docs/contract/user-groups.md"), "/docs/contract/user-groups");
        assert_eq!(address("docs/decisions/022-credential-lifecycle.md"), "/docs/decisions/022");
        assert_eq!(address("docs/decisions"), "/docs/decisions/");
        assert_eq!(address("README.md"), "");
        assert_eq!(address("docs/deploy.yml"), "");
    }

    #[test]
    fn a_link_is_relative_to_its_page() {
        let resolve = |link| resolve("docs/contract/comments.md", link);
        let file = |name: &str, fragment| Some((name.to_owned(), fragment));
        assert_eq!(
            resolve("users.md#users.add"),
            file("docs/contract/users.md", Some("users.add"))
        );
        assert_eq!(resolve("#N8"), file("docs/contract/comments.md", Some("N8")));
        assert_eq!(resolve("../decisions/"), file("docs/decisions", None));
        assert_eq!(resolve("../../README.md"), file("README.md", None));
        assert_eq!(resolve("../../../README.md"), None);
        assert_eq!(resolve("https://example.com/a.md"), None);
        assert_eq!(resolve("/docs/"), None);
    }
}
