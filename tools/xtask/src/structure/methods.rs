//! The width of types: their public methods that belong to no trait.

use std::collections::BTreeMap;

use syn::{ImplItem, Item, ItemImpl, Type, Visibility, visit::Visit};

use super::source::{attributes, is_for_tests};

/// The public methods of each type with blocks in a file, by its name.
pub(super) fn count(text: &str) -> Result<BTreeMap<String, usize>, String> {
    let mut counts = Counts::default();
    counts.visit_file(&syn::parse_file(text).map_err(|e| e.to_string())?);
    Ok(counts.0)
}

#[derive(Default)]
struct Counts(BTreeMap<String, usize>);

impl<'ast> Visit<'ast> for Counts {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_impl(&mut self, block: &'ast ItemImpl) {
        let Type::Path(of) = &*block.self_ty else { return };
        let Some(name) = of.path.segments.last().filter(|_| block.trait_.is_none()) else { return };
        let is_method = |it: &&ImplItem| matches!(it, ImplItem::Fn(it) if matches!(it.vis, Visibility::Public(_)));
        *self.0.entry(name.ident.to_string()).or_default() +=
            block.items.iter().filter(is_method).count();
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn public_functions_outside_of_traits_count() {
        let text = "
            impl Db { pub fn a() {} pub async fn b(&self) {} pub(crate) fn c() {} fn d() {} pub const E: u8 = 1; }
            impl<T> a::Db<T> { pub fn f() {} }
            impl Drop for Db { fn drop(&mut self) {} }
            #[cfg(test)] impl Db { pub fn g() {} }
            impl Other { fn h() {} }
        ";
        let counts = count(text).unwrap();
        assert_eq!((counts["Db"], counts["Other"], counts.len()), (3, 0, 2));
    }
}
