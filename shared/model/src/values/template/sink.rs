use unicode_segmentation::UnicodeSegmentation;

/// The end of a cut text.
pub const ELLIPSIS: &str = "…";

/// The destination of a text, which determines its escaping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// A header or the text of a mail: on one line, as written by [`one_line`].
    Plain,
    /// Text or a quoted attribute of an HTML page: like `Plain`, and escaped.
    Html,
}

impl Sink {
    /// A text collected for this sink, with at most `max` bytes.
    pub(super) fn finish(self, line: Line, max: usize) -> String {
        cut(&line.text, max, str::len, |grapheme, out| match self {
            Self::Plain => out.push_str(grapheme),
            Self::Html => escape(grapheme, out),
        })
    }
}

/// A text on one line, collected up to a bound.
pub(super) struct Line {
    text: String,
    max: usize,
}

impl Line {
    pub(super) const fn new(max: usize) -> Self {
        Self { text: String::new(), max }
    }

    /// Whether the text exceeds the bound. One more byte is collected, to detect the cut.
    pub(super) fn is_full(&self) -> bool {
        self.text.len() > self.max
    }

    pub(super) fn push(&mut self, part: &str) {
        for c in part.chars() {
            if self.is_full() {
                return;
            }
            if is_break(c) {
                if !self.text.ends_with(' ') {
                    self.text.push(' ');
                }
            } else if !is_unwanted(c) {
                self.text.push(c);
            }
        }
    }
}

/// A name for an id in a text.
#[derive(Clone, Copy)]
pub struct NameOf<'a> {
    /// The id, as `{{id}}` in the text.
    pub id: &'a str,
    /// The name.
    pub name: &'a str,
}

/// The beginning of a text, on one line with at most `max` characters, with `{{id}}` replaced by
/// `@name`. One pass that ends with the last character shown: names are never scanned again, so the
/// output cannot multiply.
pub fn excerpt(text: &str, names: &[NameOf<'_>], max: usize) -> String {
    // Room for more than `max` of the largest characters.
    let mut line = Line::new(max * char::MAX.len_utf8());
    let mut rest = text.trim();
    while let Some(open) = rest.find("{{").filter(|_| !line.is_full()) {
        line.push(&rest[..open]);
        let inside = &rest[open + 2..];
        let after = |id: &str| inside.strip_prefix(id)?.strip_prefix("}}");
        match names.iter().find_map(|known| Some((known.name, after(known.id)?))) {
            Some((name, after)) => {
                line.push("@");
                line.push(name);
                rest = after;
            }
            None => {
                line.push("{");
                rest = &rest[open + 1..];
            }
        }
    }
    line.push(rest);
    shorten(line.text.trim(), max)
}

/// A text with `{{id}}` replaced by `@name`, in one pass. Names make it at most this much longer;
/// further mentions stay as they are.
pub fn with_names(text: &str, names: &[NameOf<'_>], longer: usize) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(open) = rest.find("{{").filter(|_| out.len() <= text.len() + longer) {
        out.push_str(&rest[..open]);
        let inside = &rest[open + 2..];
        let after = |id: &str| inside.strip_prefix(id)?.strip_prefix("}}");
        match names.iter().find_map(|known| Some((known.name, after(known.id)?))) {
            Some((name, after)) => {
                out.push('@');
                out.push_str(name);
                rest = after;
            }
            None => {
                out.push('{');
                rest = &rest[open + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// `text` on one line: line breaks become a space; control characters and bidirectional overrides
/// are removed. The result cannot end a header.
pub fn one_line(text: &str) -> String {
    let mut line = Line::new(usize::MAX);
    line.push(text);
    line.text
}

/// At most `max` characters of `text`, including the ellipsis, cut at a grapheme boundary.
pub fn shorten(text: &str, max: usize) -> String {
    cut(text, max, |text| text.chars().count(), |grapheme, out| out.push_str(grapheme))
}

fn cut(
    text: &str,
    max: usize,
    size: fn(&str) -> usize,
    write: impl Fn(&str, &mut String),
) -> String {
    let room = max.saturating_sub(size(ELLIPSIS));
    let (mut out, mut written, mut kept) = (String::new(), 0, 0);
    for grapheme in text.graphemes(true) {
        if written <= room {
            kept = out.len();
        }
        let start = out.len();
        write(grapheme, &mut out);
        written += size(&out[start..]);
        if written > max {
            out.truncate(kept);
            out.push_str(ELLIPSIS);
            break;
        }
    }
    out
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
}

const fn is_break(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0B' | '\x0C' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Control characters, and the embeddings, overrides and isolates of bidirectional text.
fn is_unwanted(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
