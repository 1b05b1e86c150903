//! References of the files of a crate to each other. A path that leads through exports names the
//! file that they export from; an export of a module below alone, or its declaration, names
//! nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Import, Source};

/// How many exports a path may lead through; an export of its own name would have no end.
const EXPORTS: usize = 16;

/// The module files of a crate.
#[derive(Default)]
pub(super) struct Graph {
    files: Vec<File>,
    /// By the path of the module, without `crate`; that of the root is empty.
    modules: BTreeMap<Vec<String>, usize>,
}

struct File {
    name: String,
    module: Vec<String>,
    source: Source,
}

impl Graph {
    /// A crate of files, each with the path of its module and its text.
    pub(super) fn read(files: Vec<(String, Vec<String>, String)>) -> Result<Self, String> {
        let mut graph = Self::default();
        for (name, module, text) in files {
            let source = Source::read(&text, &module).map_err(|e| format!("{name}: {e}"))?;
            graph.files.push(File { name, module, source });
        }
        let tests: BTreeSet<Vec<String>> = graph
            .files
            .iter()
            .flat_map(|file| file.source.test_modules.iter().map(|it| child(&file.module, it)))
            .collect();
        graph.files.retain(|file| !tests.iter().any(|module| file.module.starts_with(module)));
        let modules = graph.files.iter().enumerate().map(|(n, file)| (file.module.clone(), n));
        graph.modules = modules.collect();
        Ok(graph)
    }

    /// The largest circle: files each of which leads to each other. One file alone is none.
    pub(super) fn circle(&self) -> Vec<&str> {
        let largest = circles(&self.arrows()).into_iter().max_by_key(Vec::len).unwrap_or_default();
        largest.into_iter().map(|n| self.files[n].name.as_str()).collect()
    }

    /// The circles of folders: of what lies in a module, each with all that is in it, and the file of
    /// the module itself. Circles of files alone are left out.
    pub(super) fn folder_circles(&self) -> Vec<Vec<String>> {
        let arrows = self.arrows();
        let folders: BTreeSet<&[String]> = self
            .files
            .iter()
            .filter_map(|file| file.module.split_last().map(|(_, folder)| folder))
            .collect();
        folders.into_iter().flat_map(|folder| self.circles_in(folder, &arrows)).collect()
    }

    fn circles_in(&self, folder: &[String], arrows: &[BTreeSet<usize>]) -> Vec<Vec<String>> {
        // The part that a file belongs to: a module of the folder, or the folder's own file.
        let part = |n: usize| {
            let below = self.files[n].module.strip_prefix(folder)?;
            Some(below.first().map_or("", String::as_str))
        };
        let parts: BTreeSet<&str> = (0..self.files.len()).filter_map(part).collect();
        let parts: Vec<&str> = parts.into_iter().collect();
        let at = |name: &str| parts.binary_search(&name).ok();
        let is_folder = |name: &str| {
            let below = self.files.iter().filter_map(|file| file.module.strip_prefix(folder));
            below.into_iter().any(|below| below.len() > 1 && below[0] == name)
        };
        let mut between = vec![BTreeSet::new(); parts.len()];
        for (n, named) in arrows.iter().enumerate() {
            let Some(from) = part(n).and_then(at) else { continue };
            let to = named.iter().filter_map(|n| part(*n).and_then(at));
            between[from].extend(to.filter(|to| *to != from));
        }
        let path = |name: &str| match (folder, name) {
            ([], "") => "the root".to_owned(),
            (_, "") => format!("{}.rs", folder.join("/")),
            _ => child(folder, name).join("/") + if is_folder(name) { "/" } else { ".rs" },
        };
        circles(&between)
            .into_iter()
            .filter(|circle| circle.iter().any(|n| is_folder(parts[*n])))
            .map(|circle| circle.into_iter().map(|n| path(parts[n])).collect())
            .collect()
    }

    fn arrows(&self) -> Vec<BTreeSet<usize>> {
        (0..self.files.len()).map(|n| self.named_by(n)).collect()
    }

    fn named_by(&self, n: usize) -> BTreeSet<usize> {
        let File { source, module, .. } = &self.files[n];
        let mut named: BTreeSet<usize> =
            source.paths.iter().filter_map(|path| self.find(n, path, 0)).collect();
        for import in &source.imports {
            let Some(found) = self.find(n, &import.path, 0) else { continue };
            let is_below = self.files[found].module.starts_with(module);
            let is_used = import.name.as_ref().is_some_and(|name| source.names.contains(name));
            let is_module = self.is_module(n, import);
            if !is_module && (!import.is_export || !is_below || is_used) {
                named.insert(found);
            }
        }
        named.remove(&n);
        named
    }

    /// Whether an import is of a module, whose paths then name what is needed of it. A function may
    /// have the name of its module.
    fn is_module(&self, n: usize, import: &Import) -> bool {
        let Some((path, name)) = self.begin(n, &import.path).zip(import.name.as_ref()) else {
            return false;
        };
        let owner = path.split_last().and_then(|(_, owner)| self.modules.get(owner));
        let mut others = owner.into_iter().flat_map(|owner| &self.files[*owner].source.imports);
        self.modules.contains_key(&path)
            && !others.any(|it| it.is_export && it.name.as_ref() == Some(name))
    }

    /// A path of a file from the root, if it begins in the crate.
    fn begin(&self, n: usize, path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        if first == "crate" {
            return Some(rest.to_vec());
        }
        let below = child(&self.files[n].module, first);
        let is_below = self.modules.contains_key(&below);
        is_below.then(|| below.into_iter().chain(rest.iter().cloned()).collect())
    }

    /// The file that a path of file `n` leads to.
    fn find(&self, n: usize, path: &[String], depth: usize) -> Option<usize> {
        match self.begin(n, path) {
            Some(path) => self.walk(&path, depth),
            None => self.follow(n, path, depth),
        }
    }

    fn walk(&self, path: &[String], depth: usize) -> Option<usize> {
        let is_module = |end: &usize| self.modules.contains_key(&path[..*end]);
        let end = (0..=path.len()).take_while(is_module).last()?;
        let file = self.modules[&path[..end]];
        self.follow(file, &path[end..], depth).or(Some(file))
    }

    /// The file from which file `n` imports the first word of a path.
    fn follow(&self, n: usize, path: &[String], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let mut imports = self.files[n].source.imports.iter();
        let import =
            imports.find(|it| it.name.as_ref() == Some(first)).filter(|_| depth < EXPORTS)?;
        let path: Vec<String> = import.path.iter().chain(rest).cloned().collect();
        self.find(n, &path, depth + 1)
    }
}

fn child(module: &[String], name: &str) -> Vec<String> {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// The circles of a graph: nodes each of which leads to each other. One node alone is none.
fn circles(arrows: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reached: Vec<BTreeSet<usize>> = (0..arrows.len()).map(|n| reached(arrows, n)).collect();
    let circle =
        |n: usize| reached[n].iter().filter(|m| reached[**m].contains(&n)).copied().collect();
    let circles: BTreeSet<Vec<usize>> = (0..arrows.len()).map(circle).collect();
    circles.into_iter().filter(|circle| circle.len() > 1).collect()
}

/// The nodes that arrows lead to.
fn reached(arrows: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(n) = open.pop() {
        open.extend(arrows[n].iter().filter(|next| reached.insert(**next)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn graph(files: &[(&str, &str)]) -> Graph {
        let file = |(module, text): &(&str, &str)| {
            let words = module.split("::").filter(|it| !it.is_empty()).map(str::to_owned);
            ((*module).to_owned(), words.collect(), (*text).to_owned())
        };
        Graph::read(files.iter().map(file).collect()).expect("it is Rust")
    }

    fn circle(files: &[(&str, &str)]) -> Vec<String> {
        graph(files).circle().into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn imports_paths_and_arguments_of_macros_make_a_circle() {
        let root = ("", "mod a; mod b; mod c; pub use b::b as d;");
        for (a, b, c) in [
            ("use crate::b::B;", "use super::c::C;", "use crate::{a::A, b};"),
            ("fn a() { crate::b::b() }", "fn b(c: super::c::C) {}", "fn c() { vec![crate::a::A] }"),
            (
                "use crate::b; fn a() { b::b() }",
                "use crate::c as d; fn b() { d::c() }",
                "use super::a::{self}; type C = a::A;",
            ),
        ] {
            assert_eq!(circle(&[root, ("a", a), ("b", b), ("c", c)]), ["a", "b", "c"], "{a}");
        }
    }

    #[test]
    fn an_export_leads_to_what_it_exports() {
        let root = ("", "mod a; mod b; pub use a::A; pub(crate) use b::B as C;");
        assert_eq!(circle(&[root, ("a", "use crate::C;"), ("b", "use super::A;")]), ["a", "b"]);
        assert_eq!(circle(&[root, ("a", "use crate::C;"), ("b", "")]), [""; 0]);
    }

    #[test]
    fn a_parent_that_declares_or_exports_names_no_child() {
        let child = ("a", "use super::Root; pub struct A;");
        for (text, wanted) in [
            ("mod a; pub use a::A; pub struct Root;", vec![]),
            ("service::operations! {\n/// Does.\na::A }\npub struct Root;", vec![]),
            ("mod a; pub use a::A; pub struct Root(A);", vec!["", "a"]),
            ("mod a; use a::A; pub struct Root;", vec!["", "a"]),
            ("mod a; pub struct Root(a::A);", vec!["", "a"]),
        ] {
            assert_eq!(circle(&[("", text), child]), wanted, "{text}");
        }
    }

    #[test]
    fn a_folder_and_what_it_needs_are_a_circle_whatever_file_names_it() {
        let circles = |files: &[(&str, &str)]| graph(files).folder_circles();
        let root = ("", "mod a; mod b; pub use a::state::A; pub use b::B;");
        let parent = ("a", "pub(crate) mod state; use crate::B;");
        let leaf = ("a::state", "pub struct A;");
        // By file there is none: the state is in a leaf.
        let hub = [root, parent, leaf, ("b", "use crate::A; pub struct B(A);")];
        assert_eq!(circle(&hub), [""; 0]);
        assert_eq!(circles(&hub), [["a/", "b.rs"]]);
        let down = [root, parent, leaf, ("b", "pub struct B;")];
        assert!(circles(&down).is_empty());
        let within = [
            ("", "mod a;"),
            ("a", "mod b; mod c; struct Root(b::B);"),
            ("a::b", "mod d; use super::Root; pub struct B;"),
            ("a::b::d", ""),
            ("a::c", "use super::Root;"),
        ];
        assert_eq!(circles(&within), [["a.rs", "a/b/"]]);
        let files = [("", "mod a; mod b;"), ("a", "use crate::b::B;"), ("b", "use crate::a::A;")];
        assert!(circles(&files).is_empty(), "files alone have their own rule");
    }

    #[test]
    fn tests_and_other_crates_are_left_out() {
        let root = ("", "mod a; mod b; #[cfg(test)] mod c;");
        let a = "use b::B; use serde::b::B; #[cfg(test)] mod tests { use crate::b::B; }";
        let files = [root, ("a", a), ("b", "use crate::a::A;"), ("c", "use crate::b; b::b!();")];
        assert_eq!(circle(&files), [""; 0]);
    }
}
