//! Dead-letter queues.

use aws_sdk_sqs::types::{MessageSystemAttributeName as System, QueueAttributeName as Name};
use embedded::EmbeddedServices;

use crate::stack::{Stack, system};

struct Queues {
    dead: String,
    work: String,
}

async fn queues(stack: &Stack) -> Queues {
    let dead = stack.queue("dead", &[]).await;
    let arn = EmbeddedServices::queue_arn("dead");
    let policy = format!(r#"{{"deadLetterTargetArn":"{arn}","maxReceiveCount":2}}"#);
    let work = stack
        .queue("work", &[(Name::RedrivePolicy, &policy), (Name::VisibilityTimeout, "10")])
        .await;
    Queues { dead, work }
}

async fn exhaust(stack: &Stack, queues: &Queues) {
    stack.send(&queues.work, "poison").await;
    for _ in 0..2 {
        assert_eq!(stack.receive(&queues.work).await.len(), 1);
        stack.pass(10);
    }
    assert!(stack.receive(&queues.work).await.is_empty());
}

#[tokio::test]
async fn a_message_received_too_often_goes_to_the_dead_letter_queue() {
    let stack = Stack::in_memory().await;
    let queues = queues(&stack).await;
    exhaust(&stack, &queues).await;
    let message = stack.receive(&queues.dead).await.remove(0);
    assert_eq!(message.body(), Some("poison"));
    let source = system(&message, &System::DeadLetterQueueSourceArn);
    assert_eq!(source, Some(&*EmbeddedServices::queue_arn("work")));
    assert_eq!(system(&message, &System::ApproximateReceiveCount), Some("3"));
}

#[tokio::test]
async fn a_move_task_takes_messages_back_to_where_they_came_from() {
    let stack = Stack::in_memory().await;
    let queues = queues(&stack).await;
    exhaust(&stack, &queues).await;
    let start = stack.sqs.start_message_move_task();
    let start = start.source_arn(EmbeddedServices::queue_arn("dead"));
    start.send().await.unwrap();
    let message = stack.receive(&queues.work).await.remove(0);
    assert_eq!(system(&message, &System::ApproximateReceiveCount), Some("1"));
    assert!(stack.receive(&queues.dead).await.is_empty());
}

#[tokio::test]
async fn a_move_task_needs_queues_that_exist() {
    let stack = Stack::in_memory().await;
    let queues = queues(&stack).await;
    exhaust(&stack, &queues).await;
    let start = stack.sqs.start_message_move_task().source_arn(EmbeddedServices::queue_arn("none"));
    let error = start.send().await.unwrap_err().into_service_error();
    assert!(error.is_resource_not_found_exception());
    let start = stack.sqs.start_message_move_task().source_arn(EmbeddedServices::queue_arn("work"));
    assert!(start.send().await.is_err());
}

#[tokio::test]
async fn a_redrive_policy_needs_a_dead_letter_queue_that_exists() {
    let stack = Stack::in_memory().await;
    let arn = EmbeddedServices::queue_arn("none");
    let policy = format!(r#"{{"deadLetterTargetArn":"{arn}","maxReceiveCount":2}}"#);
    let create = stack.sqs.create_queue().queue_name("work");
    let error = create.attributes(Name::RedrivePolicy, policy).send().await.unwrap_err();
    assert!(error.into_service_error().is_invalid_attribute_value());
}
