//! Names in a file of a module, as written: imports, and paths in its code. Tests are left out.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, Item, ItemMod, ItemUse, Macro, Path, UseTree, VisRestricted, Visibility,
    visit::{self, Visit},
};

/// Macros that declare modules and export what they list: `add::AddFolders`.
const LISTS: [&str; 4] = ["operations", "pages", "sockets", "workers"];

/// A path: its words.
pub(super) type Words = Vec<String>;

/// A name that a `use` brings into a file.
pub(super) struct Import {
    pub(super) path: Words,
    /// None for all names of a module.
    pub(super) name: Option<String>,
    /// Whether other files see it.
    pub(super) is_export: bool,
}

/// A file.
#[derive(Default)]
pub(super) struct Source {
    pub(super) imports: Vec<Import>,
    /// Paths of at least two words.
    pub(super) paths: BTreeSet<Words>,
    /// The first words of all paths.
    pub(super) names: BTreeSet<String>,
    /// Modules that are compiled for tests only.
    pub(super) test_modules: BTreeSet<String>,
    /// The modules around the code: that of the file, and those within it.
    module: Words,
}

impl Source {
    /// Reads a file of a module, whose path is without `crate`.
    pub(super) fn read(text: &str, module: &[String]) -> Result<Self, String> {
        let file = syn::parse_file(text).map_err(|e| e.to_string())?;
        let mut source = Self { module: module.to_vec(), ..Self::default() };
        source.visit_file(&file);
        Ok(source)
    }

    /// From the root of the crate, if the path says where it begins.
    fn absolute(&self, path: Words) -> Words {
        if !path.first().is_some_and(|first| first == "self" || first == "super") {
            return path;
        }
        let (mut module, mut rest) = (self.module.clone(), path.as_slice());
        while let [first, others @ ..] = rest {
            match first.as_str() {
                "self" => {}
                "super" => drop(module.pop()),
                _ => break,
            }
            rest = others;
        }
        ["crate".to_owned()].into_iter().chain(module).chain(rest.iter().cloned()).collect()
    }

    fn add(&mut self, path: Words) {
        self.names.extend(path.first().cloned());
        if path.len() > 1 {
            let path = self.absolute(path);
            self.paths.insert(path);
        }
    }

    fn import(&mut self, begin: &[String], tree: &UseTree, is_export: bool) {
        let with = |name: String| begin.iter().cloned().chain([name]).collect::<Words>();
        let (path, name) = match tree {
            UseTree::Path(it) => {
                return self.import(&with(it.ident.to_string()), &it.tree, is_export);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|it| self.import(begin, it, is_export));
            }
            UseTree::Glob(_) => (begin.to_vec(), None),
            UseTree::Name(it) if it.ident == "self" => (begin.to_vec(), begin.last().cloned()),
            UseTree::Name(it) => (with(it.ident.to_string()), Some(it.ident.to_string())),
            UseTree::Rename(it) => (with(it.ident.to_string()), Some(it.rename.to_string())),
        };
        let path = self.absolute(path);
        self.imports.push(Import { path, name, is_export });
    }

    /// Paths in the arguments of a macro, which are no Rust code yet.
    fn scan(&mut self, tokens: TokenStream) {
        for path in paths(tokens) {
            self.add(path);
        }
    }
}

fn paths(tokens: TokenStream) -> Vec<Words> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(it)) if it.as_char() == ':');
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Group(group) => found.extend(paths(group.stream())),
            TokenTree::Ident(first) => {
                let mut path = vec![first.to_string()];
                while is_colon(at) && is_colon(at + 1) {
                    let Some(TokenTree::Ident(next)) = tokens.get(at + 2) else { break };
                    path.push(next.to_string());
                    at += 3;
                }
                found.push(path);
            }
            _ => {}
        }
    }
    found
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        } else if let Item::Mod(module) = item {
            self.test_modules.insert(module.ident.to_string());
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.import(&[], &item.tree, !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast Path) {
        self.add(path.segments.iter().map(|it| it.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let is_list =
            call.path.segments.last().is_some_and(|it| LISTS.iter().any(|list| it.ident == list));
        if !is_list {
            self.visit_path(&call.path);
            return self.scan(call.tokens.clone());
        }
        for path in paths(call.tokens.clone()).into_iter().filter(|path| path.len() == 2) {
            self.imports.push(Import { name: path.last().cloned(), path, is_export: true });
        }
    }

    // `pub(super)` and `#[derive(…)]` name nothing that the file needs.
    fn visit_vis_restricted(&mut self, _: &'ast VisRestricted) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

/// The attributes of an item.
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

/// Whether it is compiled for tests only.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|it| it.path().is_ident("cfg")).any(|attribute| {
        let list = attribute.meta.require_list();
        list.is_ok_and(|list| paths(list.tokens.clone()).contains(&vec!["test".to_owned()]))
    })
}
