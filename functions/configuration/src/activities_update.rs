//! `POST /v2/workspace/activityconfig/update`: merges the request into the stored configuration.
//!
//! When the service is enabled and no triggers are stored, the triggers of comments are switched on
//! and records become immutable; members of the request take precedence.

use model::configuration::{ActivityConfig, ActivityService};
use service::{prelude::*, usable};

pub enum UpdateActivityConfig {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Omitted members keep their values.
    activity_service_config: ActivityService,
}

impl Operation for UpdateActivityConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/activityconfig/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<ActivityConfig>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let sent = request.activity_service_config;
        if sent.is_empty() {
            return Err(Error::invalid("At least one field must be provided for update."));
        }
        let now = cx.now();
        let configs = cx.tenant().configuration().activity();
        let saved = configs.save(|stored| {
            let mut config = stored.unwrap_or_default();
            config.update(sent.clone(), now);
            usable::<ActivityConfig, _>(config)
        });
        Ok(success("Activity configuration updated.", Data(saved.await?.shown())))
    }
}
