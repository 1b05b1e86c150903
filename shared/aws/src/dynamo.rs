pub(crate) mod meter;
pub(crate) mod read;
pub(crate) mod statement;
pub(crate) mod write;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use aws_sdk_dynamodb::{
    Client, Config,
    config::{BehaviorVersion, StalledStreamProtectionConfig},
    operation::{
        delete_item::DeleteItemError, put_item::PutItemError,
        transact_write_items::TransactWriteItemsError, update_item::UpdateItemError,
    },
    types::{CancellationReason, KeysAndAttributes, ReturnConsumedCapacity::Total, ReturnValue},
};

use crate::{
    Boxed, Item, Settings, Value,
    dynamo::{
        meter::Meter,
        read::{BatchRead, Query, QueryPage},
        statement::Statement,
        write::{
            BatchWrite, Condition, OLD, SdkCondition, Update, Write, batch_item, batch_write,
            transact_item,
        },
    },
    failure::{Cancellation, Failure, classify},
    sdk::{self, Connections},
};

/// DynamoDB, as a dozen primitives.
#[derive(Clone)]
pub struct Dynamo {
    client: Client,
    prefix: Arc<str>,
    meter: Arc<Meter>,
    connections: Connections,
}

impl Dynamo {
    /// A client for the tables whose names start with `prefix`.
    pub fn new(settings: &Settings, prefix: &str) -> Self {
        let mut config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(settings.region())
            .credentials_provider(settings.credentials())
            .http_client(settings.connections.client())
            .timeout_config(sdk::timeouts())
            .retry_config(sdk::retries())
            // Replies are small, and every attempt has its timeout.
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled());
        config.set_retry_partition(settings.connections.retry_partition());
        let config = match &settings.dynamodb_endpoint {
            Some(url) => config.endpoint_url(url),
            None => config,
        };
        let client = Client::from_conf(config.build());
        let connections = settings.connections.clone();
        Self { client, prefix: prefix.into(), meter: Arc::default(), connections }
    }

    /// See [`crate::Transport::version`]; none where other processes write, too.
    pub fn version(&self, table: &str, partition: &str, sort: &str) -> Option<u64> {
        Some(self.connections.transport()?.version(&self.name(table), partition, sort))
    }

    /// A clone of the client with a meter of its own.
    #[must_use]
    pub fn metered(&self) -> Self {
        Self { meter: Arc::default(), ..self.clone() }
    }

    /// Meter of this client's requests.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Opens the connection ahead of the first call: a Lambda function has more CPU during init.
    pub fn warm_up<'a>(&'a self, table: &'a str, key: Item) -> Boxed<'a, ()> {
        Box::pin(async move {
            let read =
                self.client.get_item().table_name(self.name(table)).set_key(Some(key)).send();
            let _ = tokio::time::timeout(Duration::from_secs(1), read).await;
        })
    }

    /// Reads one item, strongly consistent.
    pub fn get<'a>(
        &'a self,
        table: &'a str,
        key: Item,
    ) -> Boxed<'a, Result<Option<Item>, Failure>> {
        self.meter.read();
        Box::pin(async move {
            let read = self.client.get_item().table_name(self.name(table)).set_key(Some(key));
            let read = read.consistent_read(true).return_consumed_capacity(Total).send().await;
            let found = read.map_err(|error| classify(&error))?;
            self.meter.consumed_reading(&found.consumed_capacity);
            Ok(found.item)
        })
    }

    /// Reads up to 100 items, strongly consistent or at half the price.
    pub fn batch_get<'a>(
        &'a self,
        table: &'a str,
        keys: Vec<Item>,
        consistent: bool,
    ) -> Boxed<'a, Result<BatchRead, Failure>> {
        self.meter.read();
        Box::pin(async move {
            let name = self.name(table);
            let wanted = KeysAndAttributes::builder().set_keys(Some(keys));
            let wanted = wanted.consistent_read(consistent);
            let wanted = wanted.build().expect("keys are set");
            let call = self.client.batch_get_item().request_items(&name, wanted);
            let read = call.return_consumed_capacity(Total).send().await;
            let mut read = read.map_err(|error| classify(&error))?;
            self.meter.consumed_reading(read.consumed_capacity.iter().flatten());
            let found = read.responses.as_mut().and_then(|tables| tables.remove(&name));
            let rest = read.unprocessed_keys.as_mut().and_then(|tables| tables.remove(&name));
            let unprocessed = rest.map(|rest| rest.keys).unwrap_or_default();
            Ok(BatchRead { items: found.unwrap_or_default(), unprocessed })
        })
    }

    /// Reads up to 100 items of several tables in one call, strongly consistent.
    pub fn batch_get_tables(
        &self,
        keys: BTreeMap<&'static str, Vec<Item>>,
    ) -> Boxed<'_, Result<BTreeMap<&'static str, BatchRead>, Failure>> {
        self.meter.read();
        Box::pin(async move {
            let tables: Vec<(&'static str, String)> =
                keys.keys().map(|table| (*table, self.name(table))).collect();
            let mut call = self.client.batch_get_item().return_consumed_capacity(Total);
            for ((_, name), keys) in tables.iter().zip(keys.into_values()) {
                let wanted = KeysAndAttributes::builder().set_keys(Some(keys));
                let wanted = wanted.consistent_read(true).build().expect("keys are set");
                call = call.request_items(name, wanted);
            }
            let mut read = call.send().await.map_err(|error| classify(&error))?;
            self.meter.consumed_reading(read.consumed_capacity.iter().flatten());
            let mut found = |(table, name): (&'static str, String)| {
                let items = read.responses.as_mut().and_then(|tables| tables.remove(&name));
                let rest = read.unprocessed_keys.as_mut().and_then(|tables| tables.remove(&name));
                let unprocessed = rest.map(|rest| rest.keys).unwrap_or_default();
                (table, BatchRead { items: items.unwrap_or_default(), unprocessed })
            };
            Ok(tables.into_iter().map(&mut found).collect())
        })
    }

    /// Reads one page of a partition; strongly consistent unless it is an index.
    pub fn query(&self, query: Query) -> Boxed<'_, Result<QueryPage, Failure>> {
        self.meter.read();
        Box::pin(async move {
            let mut call = self
                .client
                .query()
                .return_consumed_capacity(Total)
                .table_name(self.name(query.table))
                .set_index_name(query.index.map(str::to_owned))
                .consistent_read(query.index.is_none())
                .set_exclusive_start_key(query.start)
                .scan_index_forward(query.ascending)
                .limit(query.limit)
                .expression_attribute_names("#pk", query.partition.0)
                .expression_attribute_values(":pk", Value::S(query.partition.1));
            let mut condition = "#pk = :pk".to_owned();
            if let Some((name, prefix)) = query.prefix {
                condition.push_str(" AND begins_with(#sk, :sk)");
                call = call
                    .expression_attribute_names("#sk", name)
                    .expression_attribute_values(":sk", Value::S(prefix));
            } else if let Some((name, bound)) = query.up_to {
                condition.push_str(" AND #sk <= :sk");
                call = call
                    .expression_attribute_names("#sk", name)
                    .expression_attribute_values(":sk", Value::S(bound));
            }
            if let Some((name, low, high)) = query.between {
                condition.push_str(" AND #sk BETWEEN :low AND :high");
                call = call
                    .expression_attribute_names("#sk", name)
                    .expression_attribute_values(":low", Value::S(low))
                    .expression_attribute_values(":high", Value::S(high));
            }
            if !query.only.is_empty() {
                let names = (0..query.only.len()).map(|n| format!("#a{n}")).collect::<Vec<_>>();
                call = call.projection_expression(names.join(", "));
                for (name, attribute) in names.into_iter().zip(query.only) {
                    call = call.expression_attribute_names(name, attribute);
                }
            }
            let page = call.key_condition_expression(condition).send().await;
            let page = page.map_err(|error| classify(&error))?;
            self.meter.consumed_reading(&page.consumed_capacity);
            Ok(QueryPage { items: page.items.unwrap_or_default(), next: page.last_evaluated_key })
        })
    }

    /// Reads one page of a table, only items with an attribute.
    pub fn scan<'a>(
        &'a self,
        table: &'a str,
        attribute: &'static str,
        start: Option<Item>,
        limit: i32,
    ) -> Boxed<'a, Result<QueryPage, Failure>> {
        self.meter.read();
        Box::pin(async move {
            let call = self.client.scan().table_name(self.name(table)).limit(limit);
            let call = call.set_exclusive_start_key(start).return_consumed_capacity(Total);
            let call = call.filter_expression("attribute_exists(#attribute)");
            let page = call.expression_attribute_names("#attribute", attribute).send().await;
            let page = page.map_err(|error| classify(&error))?;
            self.meter.consumed_reading(&page.consumed_capacity);
            Ok(QueryPage { items: page.items.unwrap_or_default(), next: page.last_evaluated_key })
        })
    }

    /// Writes one item.
    pub fn put(
        &self,
        table: &str,
        item: Item,
        condition: Option<Condition>,
    ) -> Boxed<'_, Result<(), Failure>> {
        self.meter.write();
        let SdkCondition { expression, names, values } = condition.into();
        let call = self
            .client
            .put_item()
            .return_consumed_capacity(Total)
            .table_name(self.name(table))
            .set_item(Some(item))
            .set_condition_expression(expression)
            .set_expression_attribute_names(names)
            .set_expression_attribute_values(values)
            .return_values_on_condition_check_failure(OLD);
        Box::pin(async move {
            let answer = call.send().await.map_err(|error| match error.as_service_error() {
                Some(PutItemError::ConditionalCheckFailedException(failed)) => {
                    Failure::Condition(failed.item.clone())
                }
                _ => classify(&error),
            })?;
            self.meter.consumed_writing(&answer.consumed_capacity);
            Ok(())
        })
    }

    /// Updates attributes of one item, or adds one; returns all its attributes. It may be applied
    /// twice if a reply was lost.
    pub fn update(
        &self,
        table: &str,
        key: Item,
        update: Update,
    ) -> Boxed<'_, Result<Item, Failure>> {
        self.meter.write();
        let call = self
            .client
            .update_item()
            .return_consumed_capacity(Total)
            .table_name(self.name(table))
            .set_key(Some(key))
            .update_expression(update.expression)
            .set_condition_expression(update.condition)
            .set_expression_attribute_names((!update.names.is_empty()).then_some(update.names))
            .set_expression_attribute_values((!update.values.is_empty()).then_some(update.values))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(OLD);
        Box::pin(async move {
            let updated = call.send().await.map_err(|error| match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                    Failure::Condition(failed.item.clone())
                }
                _ => classify(&error),
            })?;
            self.meter.consumed_writing(&updated.consumed_capacity);
            Ok(updated.attributes.unwrap_or_default())
        })
    }

    /// Deletes one item. A repetition after a lost reply finds nothing, so its condition fails.
    pub fn delete(
        &self,
        table: &str,
        key: Item,
        condition: Option<Condition>,
    ) -> Boxed<'_, Result<(), Failure>> {
        self.meter.write();
        let SdkCondition { expression, names, values } = condition.into();
        let call = self
            .client
            .delete_item()
            .return_consumed_capacity(Total)
            .table_name(self.name(table))
            .set_key(Some(key))
            .set_condition_expression(expression)
            .set_expression_attribute_names(names)
            .set_expression_attribute_values(values);
        Box::pin(async move {
            let answer = call.send().await.map_err(|error| match error.as_service_error() {
                Some(DeleteItemError::ConditionalCheckFailedException(failed)) => {
                    Failure::Condition(failed.item.clone())
                }
                _ => classify(&error),
            })?;
            self.meter.consumed_writing(&answer.consumed_capacity);
            Ok(())
        })
    }

    /// Executes up to 25 statements about distinct items; returns a result for each, in order.
    pub fn execute<'a>(
        &'a self,
        table: &'a str,
        statements: Vec<Statement>,
    ) -> Boxed<'a, Result<Vec<Result<(), Failure>>, Failure>> {
        self.meter.write();
        Box::pin(async move {
            let name = self.name(table);
            let statements = statements.into_iter();
            let requests =
                statements.map(|statement| statement::request(statement, &name)).collect();
            let call = self.client.batch_execute_statement().set_statements(Some(requests));
            let call = call.return_consumed_capacity(Total);
            let answer = call.send().await.map_err(|error| classify(&error))?;
            self.meter.consumed_writing(answer.consumed_capacity.iter().flatten());
            let answers = answer.responses.unwrap_or_default().into_iter();
            let one = |error| Err(statement::failure(&error));
            Ok(answers.map(|answer| answer.error.map_or(Ok(()), one)).collect())
        })
    }

    /// Executes up to 25 unconditional writes; returns those that were not processed.
    pub fn batch_write<'a>(
        &'a self,
        table: &'a str,
        writes: Vec<BatchWrite>,
    ) -> Boxed<'a, Result<Vec<BatchWrite>, Failure>> {
        self.meter.write();
        Box::pin(async move {
            let name = self.name(table);
            let writes = writes.into_iter().map(batch_item).collect();
            let call = self.client.batch_write_item().request_items(&name, writes);
            let sent = call.return_consumed_capacity(Total).send().await;
            let sent = sent.map_err(|error| classify(&error))?;
            self.meter.consumed_writing(sent.consumed_capacity.iter().flatten());
            let rest = sent.unprocessed_items.and_then(|mut tables| tables.remove(&name));
            Ok(rest.unwrap_or_default().into_iter().filter_map(batch_write).collect())
        })
    }

    /// Executes up to 100 writes, all or none. The SDK repeats a lost call with one token, so a
    /// transaction is executed once.
    pub fn transact(&self, writes: Vec<Write>) -> Boxed<'_, Result<(), Failure>> {
        self.meter.write();
        let writes =
            writes.into_iter().map(|write| transact_item(write, &|table| self.name(table)));
        let writes = writes.collect();
        Box::pin(async move {
            let call = self.client.transact_write_items().set_transact_items(Some(writes));
            let sent = call.return_consumed_capacity(Total).send().await;
            let sent = sent.map_err(|error| match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(canceled)) => {
                    Failure::Canceled(canceled.cancellation_reasons().iter().map(reason).collect())
                }
                _ => classify(&error),
            })?;
            self.meter.consumed_writing(sent.consumed_capacity.iter().flatten());
            Ok(())
        })
    }

    fn name(&self, table: &str) -> String {
        format!("{}{table}", self.prefix)
    }
}

fn reason(reason: &CancellationReason) -> Cancellation {
    match reason.code() {
        None | Some("None") => Cancellation::None,
        Some("ConditionalCheckFailed") => Cancellation::Condition(reason.item.clone()),
        Some("TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded") => {
            Cancellation::Conflict
        }
        Some(code) => {
            Cancellation::Other(format!("{code}: {}", reason.message().unwrap_or("no message")))
        }
    }
}
