//! Generated XML, in the form in which it is read.

use std::iter;

use super::{Dice, WORDS, words};

/// Texts of white space.
const SPACES: [&str; 8] = [" ", "\n", "\t", "  \n ", "\r\n", "\u{a0}", "\n\n", "\u{2028}"];

/// Names that editors may choose, some of which XML cannot hold, as they are written.
const NAMES: [&str; 9] = [
    "check_x0020_list",
    "_x0031_st",
    "_x_",
    "a_x003D_b",
    "_x005F_x0020_",
    "note--a_x0020_b",
    "é-ñ:o.p",
    "br",
    "x_x002F_y",
];

/// Keys of attributes likewise, in the order of what they mean.
const KEYS: [&str; 6] = ["_x_", "1", "a_x003D_b", "is_x0020_done", "x_x002F_y", "é"];

/// A piece of the content of a block.
enum Piece {
    Element(String),
    /// A text with its marks.
    Text(usize, String),
}

pub(crate) fn xml(dice: &mut Dice) -> String {
    let count = 1 + dice.below(5);
    (0..count).map(|_| block(dice)).collect()
}

fn block(dice: &mut Dice) -> String {
    match dice.below(7) {
        0 => format!("<heading level=\"{}\">{}</heading>", 1 + dice.below(6), inline(dice)),
        1 => {
            let count = 1 + dice.below(3);
            let item = |dice: &mut Dice| {
                format!("<listItem><paragraph>{}</paragraph></listItem>", inline(dice))
            };
            let items: String = (0..count).map(|_| item(dice)).collect();
            format!("<bulletList>{items}</bulletList>")
        }
        2 => format!(
            "<image alt=\"{}\" src=\"a&amp;b\"></image>",
            escape(&words(dice, 2).replace('"', "'"))
        ),
        3 => {
            let content = inline(dice);
            odd(dice, &content)
        }
        _ => format!("<paragraph>{}</paragraph>", inline(dice)),
    }
}

/// An element with an odd name, and such attributes.
fn odd(dice: &mut Dice, content: &str) -> String {
    let name = dice.pick(&NAMES);
    let mut attributes = String::new();
    for key in KEYS {
        if dice.below(4) == 0 {
            let value = if dice.below(3) == 0 { dice.pick(&SPACES).into() } else { words(dice, 2) };
            attributes += &format!(" {key}=\"{}\"", escape(&value));
        }
    }
    format!("<{name}{attributes}>{content}</{name}>")
}

fn inline(dice: &mut Dice) -> String {
    let mut pieces = Vec::new();
    for _ in 0..dice.below(5) {
        let marks = dice.below(5);
        let text = match dice.below(4) {
            0 => dice.pick(&SPACES).to_owned(),
            _ => words(dice, 4),
        };
        // Two runs of the same marks are one.
        let is_same = matches!(pieces.last(), Some(Piece::Text(before, _)) if *before == marks);
        if !is_same && !text.is_empty() {
            pieces.push(Piece::Text(marks, text));
        }
        match dice.below(8) {
            0 | 1 => pieces.push(Piece::Element("<hardBreak></hardBreak>".to_owned())),
            2 => pieces.push(Piece::Element(odd(dice, ""))),
            _ => (),
        }
    }
    let is_text = |piece: &Piece| matches!(piece, Piece::Text(..));
    pieces.chunk_by(|a, b| is_text(a) && is_text(b)).map(rendered).collect()
}

/// An element, or texts beside each other.
fn rendered(pieces: &[Piece]) -> String {
    let texts = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Element(_) => None,
            Piece::Text(marks, text) => Some((*marks, text)),
        })
    };
    if let [Piece::Element(element)] = pieces {
        return element.clone();
    }
    // A text of white space says so.
    let is_space = texts().all(|(_, text)| text.trim_matches([' ', '\t', '\r', '\n']).is_empty());
    let run = |(marks, text): (usize, &String)| {
        let text = escape(text);
        let text = if is_space { text.replace('\n', "&#10;") } else { text };
        match marks {
            0 => format!("<bold>{text}</bold>"),
            1 => format!("<bold><italic>{text}</italic></bold>"),
            2 => format!("<link href=\"https://a.example/?b&amp;c\">{text}</link>"),
            3 => format!("<my_x0020_note--a/b+c=d/>{text}</my_x0020_note--a/b+c=d/>"),
            _ => text,
        }
    };
    texts().map(run).collect()
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Another fragment that has much in common with `xml`.
pub(crate) fn edit_xml(dice: &mut Dice, xml: &str) -> String {
    let mut blocks = blocks(xml);
    for _ in 0..1 + dice.below(3) {
        let at = dice.below(blocks.len() + 1);
        match dice.below(4) {
            0 => blocks.insert(at, block(dice)),
            1 if at < blocks.len() => drop(blocks.remove(at)),
            2 if at < blocks.len() => blocks[at] = block(dice),
            _ if at < blocks.len() => {
                // Words of text, not of markup.
                let (from, to) = (dice.pick(&WORDS[..8]), dice.pick(&WORDS[..8]));
                blocks[at] = blocks[at].replacen(&format!(" {from}"), &format!(" {to}"), 1);
            }
            _ => (),
        }
    }
    blocks.concat()
}

/// The elements of the first level.
pub(super) fn blocks(xml: &str) -> Vec<String> {
    let mut rest = xml;
    let block = || {
        let mut depth = 0;
        let mut at = 0;
        while at < rest.len() {
            at += rest[at..].find('<')?;
            depth = if rest[at..].starts_with("</") { depth - 1 } else { depth + 1 };
            at += rest[at..].find('>')? + 1;
            if depth == 0 {
                let (block, after) = rest.split_at(at);
                rest = after;
                return Some(block.to_owned());
            }
        }
        None
    };
    iter::from_fn(block).collect()
}
