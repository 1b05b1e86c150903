use std::fmt;

/// Error of a direct call to the embedded services.
#[derive(Debug)]
pub enum Error {
    /// dynoxide refused or failed.
    DynamoDb(dynoxide::DynoxideError),
    /// SQS refused: the error code and its message.
    Sqs(String),
    /// A database failed.
    Sqlite(rusqlite::Error),
    /// The directory could not be created.
    Io(std::io::Error),
    /// The request or a reply was not of the expected shape.
    Shape(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DynamoDb(error) => write!(f, "dynamodb: {error}"),
            Self::Sqs(message) => write!(f, "sqs: {message}"),
            Self::Sqlite(error) => write!(f, "database: {error}"),
            Self::Io(error) => write!(f, "data directory: {error}"),
            Self::Shape(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::DynamoDb(error) => Some(error),
            Self::Sqlite(error) => Some(error),
            Self::Io(error) => Some(error),
            Self::Sqs(_) | Self::Shape(_) => None,
        }
    }
}

impl From<dynoxide::DynoxideError> for Error {
    fn from(error: dynoxide::DynoxideError) -> Self {
        Self::DynamoDb(error)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Shape(error.to_string())
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
