//! Rows that a call of an end user may see and write, by the lives of the containers in which its
//! rights were decided.

use aws::{Condition, Item, Value, Write};
use error::{Error, Result};
use model::{Millis, life::Life};

use super::{
    containers::{At, Containers},
    db::{Currency, Db},
    viewer::Viewer,
};
use crate::layout::{ENDED, Key, SINCE, Table, item};

impl Db {
    /// From when what the call writes counts, in epoch milliseconds, where the time decides to which
    /// life of its container it belongs: since the rights of an end user were decided, otherwise now.
    pub fn counts_from(&self) -> Millis {
        let decided = self.viewer.as_ref().and_then(Viewer::decided_at);
        decided.unwrap_or_else(|| self.clock.now())
    }

    /// The life of one of these containers in which the rights of an end user were decided, if what was
    /// created then (epoch milliseconds) is of an earlier one. The tenant's server sees that until the
    /// clean-up is there (decision 80).
    pub fn later_life(
        &self,
        created_at: Millis,
        containers: impl IntoIterator<Item = (Key, Key)>,
    ) -> Option<Life> {
        let viewer = self.viewer.as_ref()?;
        let places =
            containers.into_iter().map(|(partition, sort)| (partition.into(), sort.into()));
        let lives = places.filter_map(|place| viewer.life_in_reach(&place));
        lives.filter(|life| !life.covers(created_at)).max()
    }

    /// Refuses a container that was deleted and added again after the rights of the call were decided.
    ///
    /// # Errors
    /// ABORTED; UNAVAILABLE.
    pub async fn is_as_decided(&self, (partition, sort): (Key, Key)) -> Result<()> {
        let Some(viewer) = &self.viewer else { return Ok(()) };
        let place: At = (partition.into(), sort.into());
        let mut containers = Containers::default();
        self.ask(&mut containers, [place.clone()].into(), Currency::Now).await?;
        match viewer.is_of_another_life(&place, containers.life_of(&place)) {
            true => Err(Error::aborted()),
            false => Ok(()),
        }
    }

    /// A check that refuses its unit when a container was deleted after the rights of the call were
    /// decided; none for callers other than end users.
    pub fn as_decided(&self, (partition, sort): (Key, Key)) -> Option<Write> {
        let key = item::key(&partition, &sort);
        let life = self.viewer.as_ref()?.life_decided(&(partition.into(), sort.into()))?;
        let mut condition = Condition {
            expression: "attribute_not_exists(#since) AND attribute_not_exists(#ended)".to_owned(),
            names: [("#since", SINCE), ("#ended", ENDED)]
                .map(|(name, attribute)| (name.to_owned(), attribute.to_owned()))
                .into(),
            values: Item::new(),
        };
        if !life.is_first() {
            condition.expression = "#since = :life OR #ended = :life".to_owned();
            let life = Value::N(life.since().to_string());
            condition.values.insert(":life".to_owned(), life);
        }
        Some(Write::Check { table: Table::Resources.name(), key, condition })
    }
}
