//! Requests to AWS that never leave the process.

use std::{fmt, sync::Arc};

use aws_smithy_runtime_api::client::{
    http::{HttpConnector, HttpConnectorFuture},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use aws_smithy_types::body::SdkBody;
use lambda_http::http::{Request, Response};

use crate::Boxed;

/// AWS within this process: gets the signed requests of all SDKs, and answers them as AWS would.
pub trait Transport: Send + Sync + 'static {
    /// Answers a request. A caller that has waited long enough drops the future.
    fn call(&self, request: Request<Vec<u8>>) -> Boxed<'static, Response<Vec<u8>>>;

    /// Posts texts to clients of the live channel in the name of a caller, by its access key id, as so
    /// many calls would; the status of each. None if they are to be made one by one.
    fn post_all(
        &self,
        caller: &str,
        posts: Vec<(String, Arc<str>)>,
    ) -> Boxed<'static, Option<Vec<u16>>>;

    /// A number that grows with each write to items of a table whose keys begin with these, by one
    /// and before anybody learns of the write; seldom by more. Items that were read after asking
    /// are current for as long as the number stays. Each beginning is empty or ends with `#`, also
    /// that of a whole partition key.
    fn version(&self, table: &str, partition: &str, sort: &str) -> u64;
}

/// A transport in the place of connections.
pub(crate) struct InProcess(pub(crate) Arc<dyn Transport>);

impl fmt::Debug for InProcess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("InProcess")
    }
}

impl HttpConnector for InProcess {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (head, body) = match request.try_into_http1x() {
            Ok(request) => request.into_parts(),
            Err(error) => return HttpConnectorFuture::ready(Err(failed(error.into()))),
        };
        let Some(body) = body.bytes() else {
            return HttpConnectorFuture::ready(Err(failed("a request that is streamed".into())));
        };
        let answer = self.0.call(Request::from_parts(head, body.to_vec()));
        HttpConnectorFuture::new(async move {
            let answer = answer.await.map(SdkBody::from);
            HttpResponse::try_from(answer).map_err(|error| failed(error.into()))
        })
    }
}

fn failed(error: Box<dyn std::error::Error + Send + Sync>) -> ConnectorError {
    ConnectorError::other(error, None)
}
