//! Injected faults between a client and the store.

use std::time::Duration;

use dynoxide::DynoxideError;
use dynoxide::errors::CancellationReason;
use parking_lot::Mutex;
use serde_json::Value;

use super::calls::Service;
use super::hold::Hold;
use crate::base::Refusal;
use crate::{connections, mail, sqs};

/// A fault to inject, with its condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The affected operation, such as `PutItem`, or `*` for every operation the effect applies to.
    pub operation: String,
    /// Number of matching calls to skip first.
    pub skip: usize,
    /// Number of matching calls to affect then.
    pub times: usize,
    /// The injected fault.
    pub effect: Effect,
}

/// The injected fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Throttled, without effect: `ProvisionedThroughputExceededException` of DynamoDB,
    /// `RequestThrottled` of SQS, `TooManyRequestsException` of SES, `LimitExceededException` of
    /// `@connections`.
    Throttle,
    /// Status 500, without effect.
    InternalError,
    /// Only the first half of a batch is executed, rounded down: the rest is returned as
    /// `UnprocessedItems` or `UnprocessedKeys`, or as `Failed` entries of an SQS batch.
    Unprocessed,
    /// Conflict with another transaction, without effect: `TransactionCanceledException` with the
    /// first reason `TransactionConflict`, or `TransactionConflictException` of a single write.
    TransactionConflict,
    /// Waits, in real time, and then executes the call.
    Stall(Duration),
    /// Waits until it is released, and then executes the call. A client whose attempt takes too long
    /// meanwhile sends it again.
    Hold(Hold),
    /// Entries of an SQS batch whose body contains the text are refused permanently, the others
    /// accepted.
    Refuse(String),
    /// Executes the call and then replies with status 500, so that the client retries.
    LoseReply,
}

impl Fault {
    fn concerns(&self, operation: &str) -> bool {
        let possible = match self.effect {
            Effect::Unprocessed => {
                matches!(operation, "BatchWriteItem" | "BatchGetItem")
                    || operation.ends_with("Batch")
            }
            Effect::Refuse(_) => operation == "SendMessageBatch",
            Effect::TransactionConflict => {
                operation.starts_with("Transact")
                    || matches!(operation, "PutItem" | "UpdateItem" | "DeleteItem")
            }
            _ => true,
        };
        possible && (self.operation == "*" || self.operation == operation)
    }
}

#[derive(Default)]
pub(crate) struct Faults(Mutex<Vec<Fault>>);

impl Faults {
    pub(crate) fn inject(&self, fault: Fault) {
        self.0.lock().push(fault);
    }

    pub(crate) fn clear(&self) -> Vec<Fault> {
        let mut faults = std::mem::take(&mut *self.0.lock());
        faults.retain(|fault| fault.times > 0);
        faults
    }

    /// Whether there is none for any call.
    pub(crate) fn are_none(&self) -> bool {
        let faults = self.0.lock();
        faults.iter().all(|fault| fault.times == 0)
    }

    /// The effect on this call, counted in the matching faults.
    pub(crate) fn take(&self, operation: &str) -> Option<Effect> {
        let mut faults = self.0.lock();
        faults.retain(|fault| fault.times > 0);
        for fault in faults.iter_mut().filter(|fault| fault.concerns(operation)) {
            if fault.skip > 0 {
                fault.skip -= 1;
            } else {
                fault.times -= 1;
                return Some(fault.effect.clone());
            }
        }
        None
    }
}

/// The error of an effect without execution; `None` for the other effects.
pub(crate) fn refusal(effect: &Effect, service: Service, request: &Value) -> Option<Refusal> {
    const DYNAMODB: &str = "com.amazonaws.dynamodb.v20120810";
    let refusal = match (effect, service) {
        (Effect::Throttle, Service::Sqs) => sqs::throttled(),
        (Effect::Throttle, Service::Ses) => mail::throttled(),
        (Effect::Throttle, Service::ExecuteApi) => connections::throttled(),
        (Effect::Throttle, _) => Refusal::new(
            400,
            DYNAMODB,
            "ProvisionedThroughputExceededException",
            "The level of configured provisioned throughput for the table was exceeded. \
             Consider increasing your provisioning level with the UpdateTable API.",
        ),
        (Effect::InternalError, _) => internal(service),
        (Effect::TransactionConflict, _) => match request["TransactItems"].as_array() {
            Some(actions) => canceled(actions.len()),
            None => Refusal::new(
                400,
                DYNAMODB,
                "TransactionConflictException",
                "Transaction is ongoing for the item",
            ),
        },
        _ => return None,
    };
    Some(refusal)
}

/// Status 500 in the wording of the service.
pub(crate) fn internal(service: Service) -> Refusal {
    match service {
        Service::Sqs => sqs::internal_failure(),
        Service::Ses => mail::internal_failure(),
        Service::ExecuteApi => connections::internal_failure(),
        _ => Refusal::internal("The request processing has failed because of an internal error."),
    }
}

/// Gives the entries of a batch that contain `text` a body that SQS refuses.
pub(crate) fn spoil(request: &mut Value, text: &str) {
    let entries = request["Entries"].as_array_mut().into_iter().flatten();
    for entry in entries {
        if entry["MessageBody"].as_str().is_some_and(|body| body.contains(text)) {
            entry["MessageBody"] = Value::from("\u{ffff}");
        }
    }
}

fn canceled(actions: usize) -> Refusal {
    let mut reasons =
        vec![CancellationReason { code: "None".into(), ..Default::default() }; actions];
    if let Some(first) = reasons.first_mut() {
        first.code = "TransactionConflict".into();
        first.message = Some("Transaction is ongoing for the item".into());
    }
    let codes = reasons.iter().map(|reason| reason.code.as_str()).collect::<Vec<_>>().join(", ");
    let message = format!(
        "Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
    );
    let error = DynoxideError::TransactionCanceledException(message, reasons);
    let code = "TransactionCanceledException".to_owned();
    Refusal { status: error.status_code(), code, body: error.to_json(), query_error: None }
}
