//! Links in the place of references, to the documentation as the local service serves it.

use std::collections::BTreeSet;

use super::{
    contract::Contract,
    decision,
    text::{Reference, references},
};
use crate::{project::Project, references::pages};

/// The pages that texts refer to.
pub(crate) struct Pages {
    contract: Contract,
    decisions: BTreeSet<u32>,
}

impl Pages {
    pub(crate) fn open(project: &Project) -> Result<Self, String> {
        let names = pages::names(project)?;
        let decisions = names.iter().filter_map(|name| decision(&format!("docs/{name}.md")));
        Ok(Self { contract: Contract::open(project)?, decisions: decisions.collect() })
    }

    /// A text whose references are links.
    pub(crate) fn linked(&self, text: &str) -> String {
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
    use super::{Contract, Pages};

    #[test]
    fn references_lead_to_the_served_pages() {
        let page = "<a id=\"N1\"></a>\n<a id=\"N2\"></a>\n<a id=\"users.add\"></a>\nText.\n";
        let contract = Contract::read([("docs/contract/users.md", page)].into_iter());
        let pages = Pages { contract, decisions: [7].into() };
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
            assert_eq!(pages.linked(text), wanted);
        }
    }
}
