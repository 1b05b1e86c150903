//! Additions of entities that were not read.

use std::collections::BTreeMap;

use aws::Write;
use error::{Error, Result};

use super::{
    edit::{Edit, Prepared, texts},
    unit::{ExpectedItem, Unit, unchanged},
};
use crate::{
    layout::{Entity, Key, item},
    reading::{Collection, existing},
    scopes::{ATTEMPTS, Containers, Currency, WithContainers, back_off},
};

impl<E: Entity> Collection<E> {
    /// Adds entities with distinct ids, with further writes and their events; returns a result for
    /// each, in order. Reads their containers alone, and what is there only if something is: a row
    /// of an earlier life is replaced.
    pub async fn create_all(&self, edits: Vec<Edit<E>>) -> Vec<Result<E>> {
        let mut results: Vec<Option<Result<E>>> = edits.iter().map(|_| None).collect();
        let (mut prepared, mut ids) = (Vec::new(), Vec::new());
        for (n, edit) in edits.into_iter().enumerate() {
            ids.push(edit.entity.id());
            match self.prepare(n, None, false, |_| Ok(edit)) {
                Err(error) => results[n] = Some(Err(error)),
                Ok(edit) if edit.unit.is_none() => results[n] = Some(Ok(edit.entity)),
                Ok(edit) => prepared.push(edit),
            }
        }
        let again: BTreeMap<usize, (Unit, E)> = prepared
            .iter()
            .filter_map(|edit| Some((edit.position, (edit.unit.clone()?, edit.entity.clone()))))
            .collect();
        let (mut refused, mut strays) = (Vec::new(), Vec::new());
        let mut containers = Containers::default();
        for executed in self.execute(prepared, &mut containers).await {
            let n = executed.position;
            strays.push((n, executed.strays));
            match executed.result {
                Some(result) => results[n] = Some(result),
                None => refused.push(n),
            }
        }
        for attempt in 0..ATTEMPTS {
            if refused.is_empty() {
                break;
            }
            if attempt > 0 {
                back_off(attempt).await;
            }
            let open: Vec<usize> = std::mem::take(&mut refused);
            let once_more = open.iter().filter_map(|n| Some((*n, again.get(n)?.clone()))).collect();
            match self.replacing(once_more).await {
                Ok((prepared, mut containers)) => {
                    for executed in self.execute(prepared, &mut containers).await {
                        let n = executed.position;
                        results[n] = executed.result;
                        refused.extend(results[n].is_none().then_some(n));
                    }
                }
                Err(error) => {
                    let cause = format!("{error:?}");
                    for position in open {
                        results[position] = Some(Err(Error::unavailable(cause.clone())));
                    }
                }
            }
        }
        for (n, rows) in strays {
            if !matches!(results[n], Some(Ok(_))) {
                self.remove_strays(&E::place(&ids[n]).0, rows).await;
            }
        }
        let results = results.into_iter().zip(&ids);
        results.map(|(result, id)| result.unwrap_or_else(|| Err(existing::<E>(id)))).collect()
    }

    /// The refused units that may replace what is there, because it is of an earlier life, or find
    /// that a clean-up has removed it since. They begin in the lives of their containers as these
    /// stand now.
    async fn replacing(
        &self,
        refused: BTreeMap<usize, (Unit, E)>,
    ) -> Result<(Vec<Prepared<E>>, Containers)> {
        let sorts: Vec<Key> =
            refused.values().map(|(_, entity)| E::place(&entity.id()).0).collect();
        let WithContainers { items, containers } =
            self.db.get_beside(E::TABLE, &self.partition, texts(&sorts), Currency::Now).await?;
        let mut prepared = Vec::new();
        for ((position, (mut unit, entity)), sort) in refused.into_iter().zip(sorts) {
            let Some(before) = items.get(sort.as_str()).filter(|item| item::is_there(item)) else {
                prepared.push(Prepared { position, unit: Some(unit), entity, needs: vec![] });
                continue;
            };
            // The entity exists; or it did, until its container was deleted a moment ago.
            if containers.admits(before) || !containers.around(before).is_there() {
                continue;
            }
            let version = item::version(before)?;
            let Some(Write::Put { item, condition, .. }) = unit.writes.first_mut() else {
                continue;
            };
            *condition = Some(unchanged(&version));
            let (_, removed) = self.changed_links(before, item, false)?;
            let names = before.keys().filter(|name| !item.contains_key(*name));
            let removed_names = names.cloned().collect();
            unit.surplus = removed;
            unit.expected = unit
                .expected
                .is_some()
                .then_some(ExpectedItem::Version { version, removed: removed_names });
            prepared.push(Prepared { position, unit: Some(unit), entity, needs: vec![] });
        }
        Ok((prepared, containers))
    }
}
