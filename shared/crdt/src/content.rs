//! Content of editors.

use error::{Error, Result};
use serde_json::Value;

use crate::{
    Format, Kind,
    forms::{self, Lost},
    limits::{MAX_DEPTH, MAX_NODES, too_deep, too_many},
    value,
    xml::{self, delta::Op, json::Given},
};

/// A value of its kind within the limits.
#[derive(Clone, Debug)]
pub struct Content(pub(crate) Body);

#[derive(Clone, Debug)]
pub(crate) enum Body {
    Text(String),
    Map(serde_json::Map<String, Value>),
    Array(Vec<Value>),
    Xml {
        source: String,
        nodes: Vec<xml::Node>,
    },
    /// A rich text in another form, without what is lost of it.
    Rich {
        format: Format,
        source: Value,
        nodes: Vec<Given>,
        lost: Lost,
    },
    Delta {
        source: Value,
        ops: Vec<Op>,
    },
}

impl Content {
    /// Checks `data` against `kind`.
    ///
    /// # Errors
    /// INVALID_ARGUMENT, with the cause.
    pub fn new(kind: Kind, data: Value) -> Result<Self> {
        let body = match (kind, data) {
            (Kind::Text, Value::String(text)) => Body::Text(text),
            (Kind::Xml, Value::String(source)) => {
                let nodes = xml::parse(&source)?;
                Body::Xml { source, nodes }
            }
            (Kind::Map, mut data @ Value::Object(_)) => {
                admit(&mut data)?;
                let Value::Object(entries) = data else { return Err(mismatch(kind)) };
                Body::Map(entries)
            }
            (Kind::Array, mut data @ Value::Array(_)) => {
                admit(&mut data)?;
                let Value::Array(items) = data else { return Err(mismatch(kind)) };
                Body::Array(items)
            }
            _ => return Err(mismatch(kind)),
        };
        Ok(Self(body))
    }

    /// Checks `data`, which is in this form, against `kind`. Maps and arrays have one form.
    ///
    /// # Errors
    /// INVALID_ARGUMENT, with the cause.
    pub fn formed(kind: Kind, format: Format, data: Value) -> Result<Self> {
        let body = match (kind, format) {
            (_, Format::Xml) => return Self::new(kind, data),
            (Kind::Xml, Format::Json) => {
                let nodes = xml::json::parse(&data)?;
                Body::Rich { format, nodes, source: data, lost: Lost::default() }
            }
            (Kind::Xml, Format::Html | Format::Markdown) => {
                let Value::String(source) = &data else { return Err(mismatch(kind)) };
                let mut lost = Lost::default();
                let nodes = xml::json::parse(&forms::read(source, format, &mut lost)?)?;
                Body::Rich { format, nodes, source: data, lost }
            }
            (Kind::Text, Format::Json) => {
                Body::Delta { ops: xml::delta::parse(&data)?, source: data }
            }
            // Maps and arrays are JSON in every form.
            (Kind::Map | Kind::Array, Format::Json) => return Self::new(kind, data),
            _ => return Err(no_form(kind, format)),
        };
        Ok(Self(body))
    }

    /// The content as it was sent, with its form; none of a map, an array or a text.
    pub(crate) fn source(&self) -> Option<(Format, Value)> {
        match &self.0 {
            Body::Xml { source, .. } => Some((Format::Xml, Value::String(source.clone()))),
            Body::Rich { format, source, .. } => Some((*format, source.clone())),
            Body::Delta { source, .. } => Some((Format::Json, source.clone())),
            Body::Text(_) | Body::Map(_) | Body::Array(_) => None,
        }
    }

    /// The parts that were sent and are not in the content.
    pub(crate) fn lost(&self) -> Lost {
        match &self.0 {
            Body::Rich { lost, .. } => lost.clone(),
            _ => Lost::default(),
        }
    }

    /// Kind of the content.
    pub const fn kind(&self) -> Kind {
        match self.0 {
            Body::Text(_) | Body::Delta { .. } => Kind::Text,
            Body::Map(_) => Kind::Map,
            Body::Array(_) => Kind::Array,
            Body::Xml { .. } | Body::Rich { .. } => Kind::Xml,
        }
    }
}

fn mismatch(kind: Kind) -> Error {
    Error::invalid(match kind {
        Kind::Text => "Data must be a string for type text.",
        Kind::Map => "Data must be an object for type map.",
        Kind::Array => "Data must be an array for type array.",
        Kind::Xml => "Data must be a string for type xml.",
    })
}

fn no_form(kind: Kind, format: Format) -> Error {
    let (kind, format) = (kind.as_str(), format.as_str());
    Error::invalid(format!("Content of type {kind} has no form {format}."))
}

/// Checks the limits of `data`, and that every peer can read its numbers.
fn admit(data: &mut Value) -> Result<()> {
    fn walk(data: &mut Value, depth: usize, nodes: &mut usize) -> Result<()> {
        *nodes += 1;
        if *nodes > MAX_NODES {
            return Err(too_many());
        }
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        match data {
            Value::Number(number) => {
                *data = value::number(number);
                Ok(())
            }
            Value::Array(items) => {
                items.iter_mut().try_for_each(|item| walk(item, depth + 1, nodes))
            }
            Value::Object(entries) => {
                entries.values_mut().try_for_each(|entry| walk(entry, depth + 1, nodes))
            }
            Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
        }
    }
    walk(data, 0, &mut 0)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Content, Kind, MAX_DEPTH, MAX_NODES};

    fn refusal(kind: Kind, data: Value) -> String {
        Content::new(kind, data).expect_err("refused").message.into_owned()
    }

    #[test]
    fn data_has_the_shape_of_its_kind() {
        assert_eq!(refusal(Kind::Text, json!(1)), "Data must be a string for type text.");
        assert_eq!(refusal(Kind::Map, json!([])), "Data must be an object for type map.");
        assert_eq!(refusal(Kind::Array, json!({})), "Data must be an array for type array.");
        assert_eq!(refusal(Kind::Xml, json!(null)), "Data must be a string for type xml.");
        for (kind, data) in [
            (Kind::Text, json!("")),
            (Kind::Map, json!({})),
            (Kind::Array, json!([])),
            (Kind::Xml, json!("")),
        ] {
            assert_eq!(Content::new(kind, data).expect("accepted").kind(), kind);
        }
    }

    #[test]
    fn depth_and_number_of_values_are_limited() {
        let nested = |depth| (0..depth).fold(json!(1), |value, _| json!([value]));
        assert!(Content::new(Kind::Array, nested(MAX_DEPTH)).is_ok());
        assert!(refusal(Kind::Array, nested(MAX_DEPTH + 1)).contains("100 levels"));
        let wide = |len: usize| Value::Array(vec![json!(1); len]);
        assert!(Content::new(Kind::Array, wide(MAX_NODES - 1)).is_ok());
        assert!(refusal(Kind::Array, wide(MAX_NODES)).contains("50000 values"));
    }
}
