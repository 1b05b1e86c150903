//! Signals of writes to tables, for followers of their streams.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use tokio::sync::watch;

/// The signals of tables that somebody follows.
#[derive(Default)]
pub(crate) struct Writes(Mutex<BTreeMap<String, watch::Sender<()>>>);

impl Writes {
    /// The signal of one table.
    pub(crate) fn of(&self, table: &str) -> watch::Receiver<()> {
        let mut signals = self.0.lock();
        signals.entry(table.to_owned()).or_insert_with(|| watch::Sender::new(())).subscribe()
    }

    /// Signals a write to tables, whose names are joined by commas.
    pub(crate) fn signal(&self, tables: &str) {
        let signals = self.0.lock();
        for signal in tables.split(',').filter_map(|table| signals.get(table)) {
            signal.send_replace(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Writes;

    #[test]
    fn a_write_wakes_the_followers_of_its_tables_only() {
        let writes = Writes::default();
        let [mut first, mut second, mut third] = ["a", "b", "c"].map(|table| writes.of(table));
        writes.signal("b,c,unknown");
        let changed = [&mut first, &mut second, &mut third].map(|it| it.has_changed().unwrap());
        assert_eq!(changed, [false, true, true]);
    }
}
