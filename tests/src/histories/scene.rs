//! Scenes that histories begin with: built once for each key, and copied.

use reference::{Answer, Generator, KeyKind, Role, Worlds};
use serde_json::{Value, json};

use super::{
    deployment::{Deployment, Sender},
    drive::{Run, Scene},
    names, replies, requests,
};

/// The scene of a key: the calls of [`Generator::scene`], with all their work done.
pub(crate) async fn build(kind: KeyKind) -> Scene {
    let deployment = Deployment::create().await;
    configure(&deployment, kind).await;
    let worlds = Worlds::new(kind, deployment.clock.now(), None);
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
    for (operation, data) in settings(kind) {
        let reply = deployment.call(Sender::Server, operation, data).await;
        assert_eq!(reply.status, 200, "{operation}: {}", reply.body);
    }
}

/// The calls that set a key up.
pub(super) fn settings(kind: KeyKind) -> [(&'static str, Value); 4] {
    let mut access = json!({
        "enablePrivateComments": true,
        "defaultDocumentAccessType": names::access(kind.access()),
    });
    if kind.public_role() != Role::Editor {
        access["publicAccessRole"] = json!(names::role(kind.public_role()));
    }
    let triggers = json!({ "comment": {
        "newlyAdded": true, "added": true, "updated": true, "deleted": true, "assigned": true,
        "statusChanged": true, "reactionAdded": true, "reactionDeleted": true,
    } });
    let mut inbox = json!({ "triggers": triggers });
    if kind.delay() > 0 {
        inbox["delayConfig"] = json!({ "isEnabled": true, "delaySeconds": kind.delay() / 1000 });
    }
    let inbox = json!({ "useNotificationService": true, "notificationServiceConfig": inbox });
    let mails = json!({ "triggers": triggers });
    let mails = json!({ "useEmailService": true, "emailServiceConfig": mails });
    let activities = json!({ "isEnabled": true, "immutable": true, "triggers": triggers });
    let activities = json!({ "activityServiceConfig": activities });
    [
        ("workspace.api_key_config_update", access),
        ("configuration.notifications_update", inbox),
        ("configuration.email_update", mails),
        ("configuration.activities_update", activities),
    ]
}
