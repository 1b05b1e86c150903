use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::Value;

/// The reply to a call.
#[derive(Clone, Debug)]
pub struct Reply {
    path: String,
    status: u16,
    headers: Vec<(String, String)>,
    text: String,
}

impl Reply {
    pub(crate) async fn read(response: reqwest::Response, path: &str) -> Self {
        let headers = response.headers().iter();
        let headers = headers
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()))
            .collect();
        let status = response.status().as_u16();
        let is_compressed = response.headers().get("content-encoding").is_some();
        let body = response.bytes().await.expect("a body");
        let mut text = String::new();
        let read = match is_compressed {
            true => GzDecoder::new(&*body).read_to_string(&mut text),
            false => (&*body).read_to_string(&mut text),
        };
        read.expect("text");
        Self { path: path.to_owned(), status, headers, text }
    }

    /// The HTTP status code.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The body as it came.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A header.
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.clone())
    }

    /// The body.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|_| panic!("{} answered {} {:?}", self.path, self.status, self.text))
    }

    /// `result` of a successful call.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{} answered {}", self.path, self.text);
        let result = self.json()["result"].take();
        assert_eq!(result["status"], "success", "{}", self.text);
        assert!(result["message"].is_string(), "{}", self.text);
        result
    }

    /// `result.data` of a successful call.
    pub fn data(&self) -> Value {
        self.ok()["data"].take()
    }

    /// `error` of a call that failed with this status, in our envelope and with the paired code.
    pub fn error(&self, status: &str) -> Value {
        let error = self.json()["error"].take();
        assert_eq!(error["status"], status, "{} answered {}", self.path, self.text);
        assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "{}", self.text);
        let known = service::Status::ALL.into_iter().find(|known| known.as_str() == status);
        assert_eq!(self.status, known.expect("a known status").http(), "{}", self.text);
        error
    }

    /// Whether it is in our envelope: a result, or an error with the paired code.
    pub fn is_ours(&self) -> bool {
        let json: Value = serde_json::from_str(&self.text).unwrap_or_default();
        match json["error"]["status"].as_str() {
            Some(status) => {
                let known = service::Status::ALL.into_iter().find(|known| known.as_str() == status);
                known.is_some_and(|known| known.http() == self.status)
            }
            None => self.status == 200 && json["result"]["status"] == "success",
        }
    }
}
