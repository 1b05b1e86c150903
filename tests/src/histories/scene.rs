//! What histories begin with: built once for each key, and copied.

use reference::{Answer, Generator, KeyKind, Role, Worlds};
use serde_json::{Value, json};

use super::{
    deployment::{Deployment, Sender},
    drive::{Run, Scene},
    names, replies, requests,
};

/// The scene of a key: the calls of [`Generator::scene`], with all their work done.
pub(crate) async fn build(kind: KeyKind, mutant: Option<reference::Mutant>) -> Scene {
    let deployment = Deployment::create().await;
    configure(&deployment, kind).await;
    let worlds = Worlds::new(kind, deployment.clock.now(), mutant);
    let mut run = Run::of(deployment, worlds);
    run.dry().await.expect("the work ends");
    for asked in Generator::scene() {
        run.deployment.advance(1);
        let (operation, data) = requests::request(&asked.call, 0, 0);
        let reply = run.deployment.call(Sender::Server, operation, data).await;
        assert_eq!(replies::answer(&asked.call, &reply), Ok(Answer::Done), "{asked:?}");
        run.tell_time();
        run.worlds.judge(&asked, &Answer::Done).expect("a scene that is right");
    }
    run.settle().await.expect("the work ends");
    Scene { data: run.deployment.copy(), worlds: run.worlds }
}

/// The settings of a key.
async fn configure(deployment: &Deployment, kind: KeyKind) {
    let set = async |operation: &str, data: Value| {
        let reply = deployment.call(Sender::Server, operation, data).await;
        assert_eq!(reply.status, 200, "{operation}: {}", reply.body);
    };
    let mut settings = json!({
        "enablePrivateComments": true,
        "defaultDocumentAccessType": names::access(kind.access()),
    });
    if kind.public_role() != Role::Editor {
        settings["publicAccessRole"] = json!(names::role(kind.public_role()));
    }
    set("workspace.api_key_config_update", settings).await;
    let triggers = json!({ "comment": {
        "newlyAdded": true, "added": true, "updated": true, "deleted": true, "assigned": true,
        "statusChanged": true, "reactionAdded": true, "reactionDeleted": true,
    } });
    let mut inbox = json!({ "triggers": triggers });
    if kind.delay() > 0 {
        inbox["delayConfig"] = json!({ "isEnabled": true, "delaySeconds": kind.delay() / 1000 });
    }
    let sent = json!({ "useNotificationService": true, "notificationServiceConfig": inbox });
    set("configuration.notifications_update", sent).await;
    let mails = json!({ "triggers": triggers });
    let sent = json!({ "useEmailService": true, "emailServiceConfig": mails });
    set("configuration.email_update", sent).await;
    let activities = json!({ "isEnabled": true, "immutable": true, "triggers": triggers });
    let sent = json!({ "activityServiceConfig": activities });
    set("configuration.activities_update", sent).await;
}
