//! The batches of a queue that are worked on, of each tenant.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use serde_json::Value;
use tokio::{sync::Notify, time::timeout};

/// Longest pause while a tenant has its part: messages of others arrive meanwhile.
const PAUSE: Duration = Duration::from_millis(25);

/// The batches of a queue that are worked on.
#[derive(Default)]
pub(super) struct Batches {
    of_tenants: Mutex<HashMap<String, usize>>,
    ended: Notify,
}

/// A batch that is worked on, until dropped.
pub(super) struct Batch {
    all: Arc<Batches>,
    tenants: BTreeSet<String>,
}

impl Batches {
    /// Begins the work on messages. A tenant with one message takes as much of it as one with ten.
    pub(super) fn begin(self: &Arc<Self>, messages: &[Value]) -> Batch {
        let tenant =
            |message: &Value| message["Attributes"]["MessageGroupId"].as_str().map(str::to_owned);
        let tenants: BTreeSet<String> = messages.iter().filter_map(tenant).collect();
        let mut of_tenants = self.of_tenants.lock();
        for tenant in &tenants {
            *of_tenants.entry(tenant.clone()).or_default() += 1;
        }
        drop(of_tenants);
        Batch { all: Arc::clone(self), tenants }
    }

    /// The tenants with so many batches.
    pub(super) fn tenants_with(&self, count: usize) -> Vec<String> {
        let of_tenants = self.of_tenants.lock();
        let full = of_tenants.iter().filter(|(_, own)| **own >= count);
        full.map(|(tenant, _)| tenant.clone()).collect()
    }

    /// Waits until a batch has ended, for a moment at most.
    pub(super) async fn pause(&self) {
        let _ = timeout(PAUSE, self.ended.notified()).await;
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let mut of_tenants = self.all.of_tenants.lock();
        for tenant in &self.tenants {
            if let Some(own) = of_tenants.get_mut(tenant) {
                *own -= 1;
            }
        }
        of_tenants.retain(|_, own| *own > 0);
        self.all.ended.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::Batches;

    fn messages(tenants: &[&str]) -> Vec<Value> {
        let message = |tenant: &&str| json!({ "Attributes": { "MessageGroupId": tenant } });
        tenants.iter().map(message).chain([json!({ "Body": "of nobody" })]).collect()
    }

    /// A busy room sends one message at a time: ten of them would take all slots of the queue.
    #[test]
    fn a_tenant_with_one_message_in_each_of_five_batches_has_five() {
        let batches = Arc::<Batches>::default();
        let mut busy: Vec<_> = (0..4).map(|_| batches.begin(&messages(&["busy"]))).collect();
        let calm = batches.begin(&messages(&["calm", "calm", "calm", "calm", "calm"]));
        assert!(batches.tenants_with(5).is_empty());
        busy.push(batches.begin(&messages(&["calm", "busy"])));
        assert_eq!(batches.tenants_with(5), ["busy"]);
        drop(calm);
        assert_eq!(batches.tenants_with(1).len(), 2);
        busy.clear();
        assert!(batches.tenants_with(1).is_empty());
    }
}
