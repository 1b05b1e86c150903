//! Every family of functions.

/// Every family.
pub fn families() -> Vec<service::Family> {
    vec![service::Family { name: "folders", operations: folders::operations(), workers: vec![], access: &[] }]
}
