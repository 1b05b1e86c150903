//! Custom notifications on their way to mail and webhooks (contract `notifications.add`).

use serde_json::{Value, json};

use super::{
    add, find,
    scene::{
        configure, configure_mail, counts, delay, delivered, fates, prefer, recipients, start,
        trace, wait, windows, work,
    },
};
use crate::app::App;

async fn with_mail() -> App {
    let app = start().await;
    configure_mail(&app, json!({ "useEmailService": true })).await;
    app
}

fn mailed(app: &App) -> Vec<String> {
    let user = |row: &Value| {
        row["PK"]["S"].as_str().unwrap().rsplit_once('#').map(|(_, user)| user.to_owned()).unwrap()
    };
    let mut users: Vec<String> = work(app, "mail").iter().map(user).collect();
    users.sort();
    users
}

#[tokio::test]
async fn a_custom_notification_is_in_the_inbox_at_once_with_delay_windows_or_service_off() {
    let app = with_mail().await;
    delay(&app, 600).await;
    windows(&app, Some((600, 50)), Some((600, 50))).await;
    configure(&app, json!({ "useNotificationService": false })).await;
    add(&app, json!({ "notificationId": "n" })).await;
    assert_eq!(counts(&app, ["ada"]).await, [1], "before anything is delivered");
    app.settle().await;
    assert_eq!(counts(&app, ["ada"]).await, [1], "and not twice");
    assert_eq!(mailed(&app), ["ada"]);
    assert!(delivered(&app).into_iter().eq([("ada".to_owned(), "n".to_owned())]));
    assert_eq!(fates(&app, "ada").await, ["inbox delivered", "email delivered"]);
    let rows = trace(&app, json!({ "eventId": "n" })).await;
    assert_eq!((rows.len(), &rows[0]["eventId"]), (2, &json!("n")));
    assert_eq!(rows[0]["notificationId"], "n");
}

#[tokio::test]
async fn n5_a_custom_notification_added_again_is_mailed_once() {
    let app = with_mail().await;
    add(&app, json!({ "notificationId": "n" })).await;
    app.settle().await;
    add(&app, json!({ "notificationId": "n" })).await;
    app.settle().await;
    let gone = json!({ "organizationId": "acme", "notificationIds": ["n"] });
    app.call("notifications.delete", gone).await.ok();
    add(&app, json!({ "notificationId": "n" })).await;
    app.settle().await;
    assert_eq!((mailed(&app).len(), delivered(&app).len()), (1, 1));
    assert!(!find(&app, "n").await.is_null());
}

#[tokio::test]
async fn the_same_id_in_another_organization_is_another_notification() {
    let app = with_mail().await;
    add(&app, json!({ "notificationId": "n" })).await;
    let other = json!({
        "notificationId": "n", "organizationId": "other", "createOrganization": true,
        "createDocument": true,
    });
    add(&app, other).await;
    app.settle().await;
    assert_eq!(recipients(&app), 2);
}

#[tokio::test]
async fn a_mail_goes_to_users_named_or_wanting_all_and_not_to_the_author() {
    let app = with_mail().await;
    for user in ["bob", "cy"] {
        prefer(&app, user, None, json!({ "email": "ALL" })).await;
    }
    // Named: mine. Everybody: what they want.
    let sent =
        json!({ "notificationId": "n", "notifyAll": true, "actionUser": { "userId": "cy" } });
    add(&app, sent).await;
    app.settle().await;
    assert_eq!(mailed(&app), ["ada", "bob"], "cy wrote it, and eve wants only hers");
    prefer(&app, "ada", None, json!({ "email": "NONE" })).await;
    add(&app, json!({ "notificationId": "m" })).await;
    app.settle().await;
    assert_eq!(mailed(&app), ["ada", "bob"]);
}

#[tokio::test]
async fn no_mail_goes_to_users_without_access_or_while_the_email_service_is_off() {
    let app = start().await;
    add(&app, json!({ "notificationId": "off" })).await;
    app.settle().await;
    assert_eq!(mailed(&app), [""; 0]);
    configure_mail(&app, json!({ "useEmailService": true })).await;
    super::restrict(&app, "d", &["bob"]).await;
    add(&app, json!({ "notificationId": "n" })).await;
    app.settle().await;
    assert_eq!(mailed(&app), [""; 0]);
    let sent = json!({ "notificationId": "m", "notifyUsers": [{ "userId": "bob" }] });
    add(&app, sent).await;
    wait(&app, 120).await;
    assert_eq!(mailed(&app), ["bob"]);
}
