//! Relative links of Markdown, and files that it names.

use std::collections::BTreeSet;

use markdown::{anchors, links, resolve};

use super::File;

/// Folders of code: a path that begins with one of them is the whole path of a file.
const FOLDERS: [&str; 6] = ["bench/", "functions/", "server/", "shared/", "tests/", "tools/"];

/// The links of a page whose file or anchor does not exist, and the Rust files in backticks that do
/// not exist.
pub(super) fn faults(file: &File, files: &[File], names: &BTreeSet<String>) -> Vec<String> {
    let links = links(&file.text).into_iter();
    let faults = links.filter_map(|link| {
        let reason = wrong(file, &link.to, files, names)?;
        Some(format!("{}:{}: [{}] {reason}", file.name, link.line, link.to))
    });
    let quoted = file.text.lines().zip(1..).flat_map(|(text, line)| {
        text.split('`').skip(1).step_by(2).map(move |quoted| (line, quoted))
    });
    let gone = quoted.filter(|(_, quoted)| {
        let is_path = FOLDERS.iter().any(|folder| quoted.starts_with(folder));
        is_path && quoted.ends_with(".rs") && !names.contains(*quoted)
    });
    let gone = gone.map(|(line, path)| format!("{}:{line}: there is no {path}", file.name));
    faults.chain(gone).collect()
}

fn wrong(file: &File, link: &str, files: &[File], names: &BTreeSet<String>) -> Option<String> {
    let is_elsewhere = link.contains("://") || link.starts_with("mailto:");
    if is_elsewhere {
        return None;
    }
    let Some((to, fragment)) = resolve(&file.name, link) else {
        return Some("is neither a relative link nor one to another site".to_owned());
    };
    let is_folder = |to: &str| to.is_empty() || names.iter().any(|name| is_below(name, to));
    if !names.contains(&to) && !is_folder(&to) {
        return Some(format!("leads to {to}, which does not exist; correct or remove it"));
    }
    let target = files.iter().find(|file| file.name == to && to.ends_with(".md"))?;
    let fragment = fragment?;
    let is_there = anchors(&target.text).iter().any(|anchor| anchor.id == fragment);
    (!is_there).then(|| {
        format!("names an anchor that {to} lacks; correct it, or add <a id=\"{fragment}\"></a>")
    })
}

fn is_below(name: &str, folder: &str) -> bool {
    name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::{File, faults};

    #[test]
    fn file_and_anchor_exist() {
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        let other = file("docs/OTHER.md", "# A title\n\n<a id=\"x.y\"></a>\nText.\n");
        let names = ["README.md", "docs/OTHER.md", "docs/images/a.png"];
        let names = names.map(str::to_owned).into_iter().collect();
        let fault = |link: &str| {
            let page = file("README.md", &format!("# Here\n\n[a]({link})\n"));
            let files = [page, file(&other.name, &other.text)];
            faults(&files[0], &files, &names).pop().unwrap_or_default()
        };
        for right in [
            "docs/OTHER.md",
            "docs/OTHER.md#a-title",
            "docs/OTHER.md#x.y",
            "#here",
            "docs/",
            "docs/images/a.png",
            "https://example.com/none.md#none",
            "<mailto:a@example.com>",
        ] {
            assert_eq!(fault(right), "", "{right}");
        }
        assert!(fault("docs/NONE.md").starts_with("README.md:3: [docs/NONE.md] leads to"));
        assert!(fault("docs/OTHER.md#none").contains("names an anchor that docs/OTHER.md lacks"));
        assert!(fault("#none").contains("README.md lacks"));
        assert!(fault("doc/").contains("does not exist"));
        assert!(fault("../x.md").contains("neither"));
        assert!(fault("/docs/").contains("neither"));
    }
    #[test]
    fn a_rust_file_in_backticks_exists() {
        let text = "`shared/a/src/b.rs` and `b.rs`\n`tools/a.rs`, `tests/a` and tests/b.rs\n";
        let page = File { name: "README.md".to_owned(), text: text.to_owned() };
        let names = ["shared/a/src/b.rs".to_owned()].into();
        assert_eq!(faults(&page, &[], &names), ["README.md:2: there is no tools/a.rs"]);
    }
}
