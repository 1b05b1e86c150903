use std::collections::HashMap;

use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, DeleteRequest, Put, PutRequest, ReturnValuesOnConditionCheckFailure,
    TransactWriteItem, Update as SdkUpdate, WriteRequest,
};

use crate::Item;

/// A condition expression with its names and values.
#[derive(Clone, Debug, Default)]
pub struct Condition {
    /// The expression.
    pub expression: String,
    /// The `#names` of the expression.
    pub names: HashMap<String, String>,
    /// The `:values` of the expression.
    pub values: Item,
}

/// An update expression with its names, values and condition.
#[derive(Clone, Debug, Default)]
pub struct Update {
    /// The update expression.
    pub expression: String,
    /// The condition, if any; names and values are shared.
    pub condition: Option<String>,
    /// `#names` of both.
    pub names: HashMap<String, String>,
    /// `:values` of both.
    pub values: Item,
}

/// One step of a transaction.
#[derive(Clone, Debug)]
pub enum Write {
    /// Writes a whole item.
    Put {
        /// Table, without the prefix of the deployment.
        table: &'static str,
        /// The item.
        item: Item,
        /// Condition of the write.
        condition: Option<Condition>,
    },
    /// Removes an item.
    Delete {
        /// Table, without the prefix of the deployment.
        table: &'static str,
        /// Key of the item.
        key: Item,
        /// Condition of the removal.
        condition: Option<Condition>,
    },
    /// Changes attributes of an item.
    Update {
        /// Table, without the prefix of the deployment.
        table: &'static str,
        /// Key of the item.
        key: Item,
        /// The update and its condition.
        update: Update,
    },
    /// Only checks a condition.
    Check {
        /// Table, without the prefix of the deployment.
        table: &'static str,
        /// Key of the item.
        key: Item,
        /// The condition.
        condition: Condition,
    },
}

/// One unconditional write of a batch.
#[derive(Clone, Debug)]
pub enum BatchWrite {
    /// Writes a whole item.
    Put(Item),
    /// Removes an item, by its key.
    Delete(Item),
}

pub(crate) const OLD: ReturnValuesOnConditionCheckFailure =
    ReturnValuesOnConditionCheckFailure::AllOld;

/// DynamoDB refuses empty maps of names and values.
fn some<V>(map: HashMap<String, V>) -> Option<HashMap<String, V>> {
    (!map.is_empty()).then_some(map)
}

/// A condition as the SDK takes it.
#[derive(Default)]
pub(crate) struct SdkCondition {
    pub(crate) expression: Option<String>,
    pub(crate) names: Option<HashMap<String, String>>,
    pub(crate) values: Option<Item>,
}

impl From<Option<Condition>> for SdkCondition {
    fn from(condition: Option<Condition>) -> Self {
        let Some(Condition { expression, names, values }) = condition else {
            return Self::default();
        };
        Self { expression: Some(expression), names: some(names), values: some(values) }
    }
}

pub(crate) fn transact_item(write: Write, name: &dyn Fn(&str) -> String) -> TransactWriteItem {
    let step = TransactWriteItem::builder();
    match write {
        Write::Put { table, item, condition } => {
            let SdkCondition { expression, names, values } = condition.into();
            let put = Put::builder()
                .table_name(name(table))
                .set_item(Some(item))
                .set_condition_expression(expression)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .return_values_on_condition_check_failure(OLD);
            step.put(put.build().expect("table and item are set"))
        }
        Write::Delete { table, key, condition } => {
            let SdkCondition { expression, names, values } = condition.into();
            let delete = Delete::builder()
                .table_name(name(table))
                .set_key(Some(key))
                .set_condition_expression(expression)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .return_values_on_condition_check_failure(OLD);
            step.delete(delete.build().expect("table and key are set"))
        }
        Write::Update { table, key, update } => {
            let update = SdkUpdate::builder()
                .table_name(name(table))
                .set_key(Some(key))
                .update_expression(update.expression)
                .set_condition_expression(update.condition)
                .set_expression_attribute_names(some(update.names))
                .set_expression_attribute_values(some(update.values))
                .return_values_on_condition_check_failure(OLD);
            step.update(update.build().expect("table, key and expression are set"))
        }
        Write::Check { table, key, condition } => {
            let check = ConditionCheck::builder()
                .table_name(name(table))
                .set_key(Some(key))
                .condition_expression(condition.expression)
                .set_expression_attribute_names(some(condition.names))
                .set_expression_attribute_values(some(condition.values))
                .return_values_on_condition_check_failure(OLD);
            step.condition_check(check.build().expect("table, key and condition are set"))
        }
    }
    .build()
}

pub(crate) fn batch_item(write: BatchWrite) -> WriteRequest {
    let request = WriteRequest::builder();
    match write {
        BatchWrite::Put(item) => {
            let put = PutRequest::builder().set_item(Some(item)).build();
            request.put_request(put.expect("item is set"))
        }
        BatchWrite::Delete(key) => {
            let delete = DeleteRequest::builder().set_key(Some(key)).build();
            request.delete_request(delete.expect("key is set"))
        }
    }
    .build()
}

pub(crate) fn batch_write(request: WriteRequest) -> Option<BatchWrite> {
    match (request.put_request, request.delete_request) {
        (Some(put), _) => Some(BatchWrite::Put(put.item)),
        (_, Some(delete)) => Some(BatchWrite::Delete(delete.key)),
        _ => None,
    }
}
