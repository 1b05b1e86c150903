//! Endpoints of advanced webhooks (contract `webhook-endpoints`).

mod access;
mod view;

pub use access::ACCESS;

service::operations! {
    /// Adds a webhook endpoint.
    create::CreateWebhookEndpoint,
    /// Lists webhook endpoints, newest first.
    get::GetWebhookEndpoints,
    /// Changes a webhook endpoint.
    update::UpdateWebhookEndpoint,
    /// Deletes a webhook endpoint with its signing secrets.
    delete::DeleteWebhookEndpoint,
    /// Shows the signing secret of a webhook endpoint.
    secret_get::GetWebhookEndpointSecret,
    /// Replaces the signing secret of a webhook endpoint.
    secret_rotate::RotateWebhookEndpointSecret,
}
