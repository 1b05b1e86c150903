//! The rows of notifications in DynamoDB satisfy the contract of the simulator of the crate
//! `notification`.

use std::time::Duration;

use conformance::{Bench, Timed, hints_come_when_rows_are_due, rows_change_by_compare_and_set};
use embedded::EmbeddedServices;
use notification::{NotificationTask, RowKey};
use roundtable::queue_name;
use serde_json::{Value, json};
use service::{Deadline, Job, Jobs as _, Queue};

use crate::app::{App, Credentials};

/// Two tenants without workers.
struct Deployment {
    app: App,
    jobs: [Job; 2],
}

impl Deployment {
    async fn start() -> Self {
        let app = App::start().await;
        let second = app.second_key().await;
        let jobs = [job(&app, &app.key).await, job(&app, &second).await];
        Self { app, jobs }
    }
}

/// A job of a tenant, as the runtime creates it.
async fn job(app: &App, key: &Credentials) -> Job {
    let sender = serde_json::from_value(json!({ "tenant": key.api_key })).unwrap();
    let deadline = Deadline::after(0, Duration::MAX);
    Job::open(app.stack().environment(), Some(sender), deadline).await.unwrap()
}

/// Receives the hints of a queue.
async fn take(app: &App, queue: Queue) -> Vec<RowKey> {
    let url = format!("http://localhost{}", EmbeddedServices::queue_path(&queue_name(queue)));
    let mut heard = Vec::new();
    loop {
        let request = json!({ "QueueUrl": url, "MaxNumberOfMessages": 10 });
        let received = app.embedded().sqs("ReceiveMessage", request).await.unwrap();
        let Some(messages) = received["Messages"].as_array().filter(|all| !all.is_empty()) else {
            return heard;
        };
        for message in messages {
            let body: Value = serde_json::from_str(message["Body"].as_str().unwrap()).unwrap();
            match serde_json::from_value(body["message"].clone()).unwrap() {
                NotificationTask::Wake(key) => heard.push(key),
                NotificationTask::Offer(event) => panic!("{event:?}"),
            }
            let request = json!({ "QueueUrl": url, "ReceiptHandle": message["ReceiptHandle"] });
            app.embedded().sqs("DeleteMessage", request).await.unwrap();
        }
    }
}

impl Bench for Deployment {
    type Rows = Job;

    fn tenant(&self, number: usize) -> &Job {
        &self.jobs[number]
    }

    fn advance(&self, by: u64) {
        self.app.advance(Duration::from_millis(by));
    }
}

impl Timed for Deployment {
    async fn hear(&self, seconds: u64) -> Vec<RowKey> {
        let mut heard = Vec::new();
        let mut left = seconds;
        while left > 0 {
            let step = left.min(60);
            left -= step;
            self.app.advance(Duration::from_secs(step));
            self.app.tick().await;
            for queue in [Queue::Notifications, Queue::Emails] {
                heard.extend(take(&self.app, queue).await);
            }
        }
        heard
    }
}

#[tokio::test]
async fn rows_in_dynamodb_change_by_compare_and_set_like_simulated_rows() {
    rows_change_by_compare_and_set(&Deployment::start().await).await;
}

#[tokio::test]
async fn wake_messages_come_when_rows_are_due_like_simulated_ones() {
    hints_come_when_rows_are_due(&Deployment::start().await).await;
}
