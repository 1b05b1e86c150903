//! Links from descriptions to the documentation, as the local service serves it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    pages,
    project::Project,
    references::{Contract, Reference, decision, page_of, references},
};

/// Members whose content is that of callers.
const DATA: &[&str] = &["const", "default", "enum", "example", "examples"];

/// The link to the contract of an operation.
pub(super) fn to_operation(name: &str) -> String {
    to_page(&format!("{}#{name}", page_of(name)))
}

/// The link to a page of the contract, or to an anchor of it.
pub(super) fn to_page(page: &str) -> String {
    format!("[Contract](/docs/contract/{page})")
}

/// The pages that descriptions refer to.
pub(super) struct Pages {
    contract: Contract,
    decisions: BTreeSet<u32>,
}

impl Pages {
    pub(super) fn open(project: &Project) -> Result<Self, String> {
        let names = pages::names(project)?;
        let decisions = names.iter().filter_map(|name| decision(&format!("docs/{name}.md")));
        Ok(Self { contract: Contract::open(project)?, decisions: decisions.collect() })
    }

    /// Makes the references in all descriptions links.
    pub(super) fn link(&self, document: &mut Value) {
        match document {
            Value::Object(members) => {
                for (name, value) in members {
                    match value {
                        Value::String(text) if name == "description" => *text = self.linked(text),
                        value if !DATA.contains(&name.as_str()) => self.link(value),
                        _ => {}
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.link(item)),
            _ => {}
        }
    }

    fn linked(&self, text: &str) -> String {
        let (mut linked, mut done) = (String::new(), 0);
        for (at, reference) in references(text) {
            let before = &text[..at.start];
            let is_link = before.rfind('[') > before.rfind(']');
            let Some(page) = self.page(&reference).filter(|_| !is_link) else { continue };
            linked += &text[done..at.start];
            linked += &format!("[{}](/docs/{page})", &text[at.clone()]);
            done = at.end;
        }
        linked + &text[done..]
    }

    fn page(&self, reference: &Reference<'_>) -> Option<String> {
        match reference {
            Reference::Contract(id) | Reference::Rule(id) => {
                let page = self.contract.page(id)?;
                let anchor = if page == *id { String::new() } else { format!("#{id}") };
                Some(format!("contract/{page}{anchor}"))
            }
            Reference::Decision(number) => {
                self.decisions.contains(number).then(|| format!("decisions/{number:03}"))
            }
            Reference::OneOfDecisions | Reference::Old(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Contract, Pages, to_operation};

    #[test]
    fn references_lead_to_the_served_pages() {
        assert_eq!(to_operation("users.add"), "[Contract](/docs/contract/users#users.add)");
        let page = "<a id=\"N1\"></a>\n<a id=\"N2\"></a>\n<a id=\"users.add\"></a>\nText.\n";
        let contract = Contract::read([("docs/contract/users.md", page)].into_iter());
        let pages = Pages { contract, decisions: [7].into() };
        let linked = |text: &str| {
            let mut document =
                json!({ "a": [{ "description": text, "example": { "description": text } }] });
            pages.link(&mut document);
            assert_eq!(document["a"][0]["example"]["description"], text);
            document["a"][0]["description"].as_str().unwrap_or_default().to_owned()
        };
        for (text, wanted) in [
            ("(contract `users.add`)", "(contract [`users.add`](/docs/contract/users#users.add))"),
            ("contract `users`.", "contract [`users`](/docs/contract/users)."),
            (
                "rules N1 and N2",
                "rules [N1](/docs/contract/users#N1) and [N2](/docs/contract/users#N2)",
            ),
            ("`a[0]`, decision 7", "`a[0]`, decision [7](/docs/decisions/007)"),
            ("[decision 7](x)", "[decision 7](x)"),
            ("decision 8, contract `none`", "decision 8, contract `none`"),
        ] {
            assert_eq!(linked(text), wanted);
        }
    }
}
