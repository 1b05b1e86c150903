//! Callers with roles.

use std::sync::Arc;

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, retry::RetryConfig};
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::{
    BatchStatementRequest, ConditionCheck, Delete, Put, TransactWriteItem, Update,
};
use embedded::{EmbeddedServices, Options, Statement, table_arn};

use crate::stack::{START, items_table, n, s};

struct Fixture {
    embedded: EmbeddedServices,
    endpoint: String,
}

fn statement(actions: &[&str], resource: String) -> Statement {
    let actions = actions.iter().map(|&action| action.to_owned()).collect();
    Statement { actions, resource, leading_key: None }
}

impl Fixture {
    /// The table `items`, and one caller with one role.
    async fn open(role: Vec<Statement>) -> Self {
        let embedded = EmbeddedServices::open(Options {
            dir: None,
            is_synced: false,
            remembers: true,
            observer: Arc::new(()),
            clock: Arc::new(|| START),
            outbox: None,
            smtp: None,
            mail_events_queue: None,
            roles: [("reader".to_owned(), role)].into(),
        });
        let embedded = embedded.unwrap();
        embedded.create_table(items_table()).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let server = embedded.clone();
        tokio::spawn(async move { server.door().serve(listener, None).await });
        Self { embedded, endpoint }
    }

    fn tables(&self, caller: &str) -> aws_sdk_dynamodb::Client {
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(embedded::REGION))
            .credentials_provider(Credentials::new(caller, "secret", None, None, "test"))
            .endpoint_url(&self.endpoint)
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .retry_config(RetryConfig::disabled());
        aws_sdk_dynamodb::Client::from_conf(config.build())
    }

    fn queues(&self, caller: &str) -> aws_sdk_sqs::Client {
        use aws_sdk_sqs::config::{BehaviorVersion, Credentials, Region};
        let config = aws_sdk_sqs::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(embedded::REGION))
            .credentials_provider(Credentials::new(caller, "secret", None, None, "test"))
            .endpoint_url(&self.endpoint)
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .retry_config(RetryConfig::disabled());
        aws_sdk_sqs::Client::from_conf(config.build())
    }

    /// Refused actions, in order.
    fn denied(&self) -> Vec<String> {
        let denied = self.embedded.asked().into_iter().filter(|asked| !asked.allowed);
        denied.map(|asked| asked.action).collect()
    }
}

#[tokio::test]
async fn a_port_with_a_session_token_answers_nobody_without_it() {
    let world = Fixture::open(vec![]).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let door = world.embedded.door();
    tokio::spawn(async move { door.serve(listener, Some("right".to_owned())).await });
    let list = |token: Option<&str>| {
        let token = token.map(str::to_owned);
        let credentials = Credentials::new("local", "secret", token, None, "test");
        let client = world.tables("local");
        let config = client.config().to_builder().endpoint_url(&url);
        let client = config.credentials_provider(credentials).build();
        aws_sdk_dynamodb::Client::from_conf(client).list_tables().send()
    };
    assert_eq!(list(Some("right")).await.unwrap().table_names(), ["items"]);
    for wrong in [None, Some(""), Some("righ"), Some("right1"), Some("RIGHT"), Some("right right")]
    {
        let error = list(wrong).await.unwrap_err().into_service_error();
        assert_eq!(error.code(), Some("UnrecognizedClientException"), "{wrong:?}");
    }
    assert!(world.denied().is_empty());
}

#[tokio::test]
async fn a_caller_is_refused_what_its_role_does_not_allow_in_the_words_of_aws() {
    let world = Fixture::open(vec![statement(&["dynamodb:GetItem"], table_arn("items"))]).await;
    let tables = world.tables("reader");
    let get = tables.get_item().table_name("items").key("pk", s("a")).key("sk", s("a"));
    get.send().await.unwrap();
    let put = tables.put_item().table_name("items").item("pk", s("a")).item("sk", s("a"));
    let error = put.send().await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("AccessDeniedException"));
    assert_eq!(
        error.message(),
        Some(
            "User: arn:aws:sts::000000000000:assumed-role/reader/reader is not authorized to \
             perform: dynamodb:PutItem on resource: \
             arn:aws:dynamodb:us-east-1:000000000000:table/items because no identity-based policy \
             allows the dynamodb:PutItem action"
        )
    );
    assert!(world.embedded.dump("items").unwrap().is_empty());
    world.tables(embedded::OWNER).list_tables().send().await.unwrap();
}

#[tokio::test]
async fn each_step_of_a_transaction_needs_its_own_right() {
    let verbs = ["PutItem", "DeleteItem", "UpdateItem", "ConditionCheckItem"];
    for missing in verbs {
        let actions = verbs.iter().filter(|verb| **verb != missing);
        let actions: Vec<String> = actions.map(|verb| format!("dynamodb:{verb}")).collect();
        let actions: Vec<&str> = actions.iter().map(String::as_str).collect();
        let world = Fixture::open(vec![statement(&actions, table_arn("items"))]).await;
        let step = TransactWriteItem::builder();
        let put = Put::builder().table_name("items").item("pk", s("a")).item("sk", s("a"));
        let delete = Delete::builder().table_name("items").key("pk", s("b")).key("sk", s("b"));
        let update = Update::builder().table_name("items").key("pk", s("c")).key("sk", s("c"));
        let update = update.update_expression("SET x = :x").expression_attribute_values(":x", n(1));
        let check =
            ConditionCheck::builder().table_name("items").key("pk", s("d")).key("sk", s("d"));
        let check = check.condition_expression("attribute_not_exists(pk)");
        let sent = world
            .tables("reader")
            .transact_write_items()
            .transact_items(step.clone().put(put.build().unwrap()).build())
            .transact_items(step.clone().delete(delete.build().unwrap()).build())
            .transact_items(step.clone().update(update.build().unwrap()).build())
            .transact_items(step.condition_check(check.build().unwrap()).build());
        let error = sent.send().await.unwrap_err().into_service_error();
        assert_eq!(error.code(), Some("AccessDeniedException"), "{missing}");
        assert_eq!(world.denied(), [format!("dynamodb:{missing}")]);
    }
}

#[tokio::test]
async fn a_table_and_each_of_its_indexes_are_queried_by_rights_of_their_own() {
    let of_index = statement(&["dynamodb:Query"], table_arn("items/index/by_rank"));
    let world = Fixture::open(vec![of_index]).await;
    let tables = world.tables("reader");
    let query = tables.query().table_name("items").expression_attribute_values(":a", s("a"));
    let by_index = query.clone().index_name("by_rank").expression_attribute_names("#l", "list");
    by_index.key_condition_expression("#l = :a").send().await.unwrap();
    let error = query.key_condition_expression("pk = :a").send().await.unwrap_err();
    assert_eq!(error.into_service_error().code(), Some("AccessDeniedException"));
}

#[tokio::test]
async fn a_statement_of_a_batch_needs_the_right_of_its_verb() {
    let world =
        Fixture::open(vec![statement(&["dynamodb:PartiQLInsert"], table_arn("items"))]).await;
    let batch = |statement: &str| {
        let statement = BatchStatementRequest::builder().statement(statement).build().unwrap();
        world.tables("reader").batch_execute_statement().statements(statement).send()
    };
    batch("INSERT INTO \"items\" VALUE {'pk': 'a', 'sk': 'a'}").await.unwrap();
    let update = "UPDATE \"items\" SET x = 1 WHERE pk = 'a' AND sk = 'a'";
    let error = batch(update).await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("AccessDeniedException"));
    assert_eq!(world.denied(), ["dynamodb:PartiQLUpdate"]);
}

#[tokio::test]
async fn a_leading_key_bounds_what_may_be_changed() {
    let leading_key = Some(("pk".to_owned(), "limit#".to_owned()));
    let limits = statement(&["dynamodb:UpdateItem"], table_arn("items"));
    let world = Fixture::open(vec![Statement { leading_key, ..limits }]).await;
    let update = |key: &str| {
        let update = world.tables("reader").update_item().table_name("items");
        let update = update.key("pk", s(key)).key("sk", s("a")).update_expression("SET x = :x");
        update.expression_attribute_values(":x", n(1)).send()
    };
    update("limit#a").await.unwrap();
    let error = update("other").await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("AccessDeniedException"));
}

#[tokio::test]
async fn each_queue_is_sent_to_by_a_right_of_its_own() {
    let own = statement(&["sqs:SendMessage"], EmbeddedServices::queue_arn("own"));
    let world = Fixture::open(vec![own]).await;
    for queue in ["own", "other"] {
        world.embedded.create_queue(queue, &Default::default()).unwrap();
    }
    let send = |queue: &str| {
        let url = format!("{}{}", world.endpoint, EmbeddedServices::queue_path(queue));
        let entry = crate::limits::entry("a", "x");
        world.queues("reader").send_message_batch().queue_url(url).entries(entry).send()
    };
    send("own").await.unwrap();
    let error = send("other").await.unwrap_err().into_service_error();
    assert!(error.message().unwrap().contains("perform: sqs:sendmessage on"), "{error:?}");
}
