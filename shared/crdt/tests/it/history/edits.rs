//! Edits of people.

use std::sync::Arc;

use yrs::{
    Any, Array, ArrayPrelim, ArrayRef, Doc, GetString, Map, MapPrelim, MapRef, Out, ReadTxn, Text,
    TextPrelim, TextRef, Transact, TransactionMut, Xml, XmlElementPrelim, XmlElementRef,
    XmlFragment, XmlOut, XmlTextPrelim, XmlTextRef, types::Attrs,
};

use crate::samples::Dice;

/// The roots.
pub(crate) const TEXT: &str = "content";
const MAP: &str = "map";
const LIST: &str = "list";
const XML: &str = "default";

/// Most characters of one edit.
const MOST: usize = 10;

/// The characters of an edit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edit {
    /// All new ones.
    pub(crate) letters: Vec<char>,
    /// New ones of the text, each with its client and clock.
    pub(crate) typed: Vec<(char, u64, u32)>,
    pub(crate) deleted: Vec<char>,
}

struct Editor<'d> {
    dice: &'d mut Dice,
    /// The number of the edit, which gives it its characters.
    number: usize,
    /// How many of its characters are used.
    used: usize,
    edit: Edit,
}

/// One edit of a document: the update, and what was typed and deleted in its text. `all`: not only
/// in that.
pub(crate) fn edit(dice: &mut Dice, doc: &Doc, all: bool, number: usize) -> (Vec<u8>, Edit) {
    let text = doc.get_or_insert_text(TEXT);
    let map = doc.get_or_insert_map(MAP);
    let list = doc.get_or_insert_array(LIST);
    let xml = doc.get_or_insert_xml_fragment(XML);
    let mut editor = Editor { dice, number, used: 0, edit: Edit::default() };
    let mut txn = doc.transact_mut();
    match editor.dice.below(if all { 12 } else { 1 }) {
        0 => editor.text(&mut txn, &text),
        1..4 => editor.map(&mut txn, &map, 0),
        4..7 => editor.list(&mut txn, &list, 0),
        _ => editor.children(&mut txn, &xml, 0),
    }
    let update = txn.encode_update_v1();
    drop(txn);
    (update, editor.edit)
}

impl Editor<'_> {
    /// Characters that nothing else has.
    fn letters(&mut self) -> String {
        let count = 1 + self.dice.below(3);
        let first = 0x4e00 + self.number * MOST + self.used;
        self.used += count;
        assert!(self.used <= MOST);
        let letters = first..first + count;
        let letters: String = letters.filter_map(|letter| char::from_u32(letter as u32)).collect();
        self.edit.letters.extend(letters.chars());
        letters
    }

    fn type_into(&mut self, txn: &mut TransactionMut<'_>, text: &TextRef) {
        let letters = self.letters();
        let client = txn.doc().client_id();
        let clock = txn.state_vector().get(&client);
        let at = self.dice.below(text.len(txn) as usize + 1) as u32;
        text.insert(txn, at, &letters);
        let ids = letters.chars().zip(clock..);
        self.edit.typed.extend(ids.map(|(letter, clock)| (letter, client.get(), clock)));
    }

    fn text(&mut self, txn: &mut TransactionMut<'_>, text: &TextRef) {
        let len = text.len(txn) as usize;
        match self.dice.below(10) {
            6..9 if len > 0 => {
                let at = self.dice.below(len);
                let count = (1 + self.dice.below(6)).min(len - at);
                let letters = text.get_string(txn);
                self.edit.deleted.extend(letters.chars().skip(at).take(count));
                text.remove_range(txn, at as u32, count as u32);
            }
            9 if len > 0 => {
                let at = self.dice.below(len);
                let count = 1 + self.dice.below(len - at);
                text.format(txn, at as u32, count as u32, self.format());
            }
            _ => self.type_into(txn, text),
        }
    }

    fn format(&mut self) -> Attrs {
        let value = match self.dice.below(3) {
            0 => Any::Null,
            1 => Any::from(true),
            _ => Any::from(format!("n{}", self.number)),
        };
        let key: Arc<str> = self.dice.pick(&["bold", "color"]).into();
        Attrs::from([(key, value)])
    }

    fn rich(&mut self, txn: &mut TransactionMut<'_>, text: &XmlTextRef) {
        let len = text.len(txn);
        match self.dice.below(8) {
            0 if len > 0 => {
                let at = self.dice.below(len as usize) as u32;
                text.remove_range(txn, at, (1 + self.dice.below(3) as u32).min(len - at));
            }
            1 if len > 0 => {
                let at = self.dice.below(len as usize) as u32;
                text.format(txn, at, len - at, self.format());
            }
            2 => {
                let at = self.dice.below(len as usize + 1) as u32;
                text.insert_embed(txn, at, Any::from_json(r#"{"image":"a.png"}"#).expect("JSON"));
            }
            3 => {
                text.insert_attribute(txn, self.key(), format!("v{}", self.number));
            }
            _ => {
                let at = self.dice.below(len as usize + 1) as u32;
                let letters = self.letters();
                text.insert(txn, at, &letters);
            }
        }
    }

    fn key(&mut self) -> String {
        format!("k{}", self.dice.below(4))
    }

    fn value(&mut self) -> Any {
        match self.dice.below(4) {
            0 => Any::from(self.number as i32),
            1 => Any::from_json(r#"{"a":[1,{"b":null}],"c":"d"}"#).expect("JSON"),
            2 => Any::from(self.number.is_multiple_of(2)),
            _ => Any::from(self.letters()),
        }
    }

    fn map(&mut self, txn: &mut TransactionMut<'_>, map: &MapRef, depth: usize) {
        let key = self.key();
        let old = map.get(txn, &key);
        match self.dice.below(8) {
            0..4 if old.is_some() => self.inside(txn, old, depth),
            4 => drop(map.remove(txn, &key)),
            5 if depth < 3 => {
                let entries = [(self.key(), self.value()), (self.key(), self.value())];
                map.insert(txn, key, MapPrelim::from(entries));
            }
            6 if depth < 3 => {
                map.insert(txn, key, ArrayPrelim::from([self.value(), self.value()]));
            }
            7 => drop(map.insert(txn, key, TextPrelim::new(self.letters()))),
            _ => drop(map.insert(txn, key, self.value())),
        }
    }

    fn list(&mut self, txn: &mut TransactionMut<'_>, list: &ArrayRef, depth: usize) {
        let len = list.len(txn) as usize;
        let at = self.dice.below(len + 1) as u32;
        match self.dice.below(9) {
            0..3 if len > 0 => {
                let old = list.get(txn, at.min(len as u32 - 1));
                self.inside(txn, old, depth);
            }
            3 if len > 0 => {
                let at = at.min(len as u32 - 1);
                list.remove_range(txn, at, (1 + self.dice.below(2) as u32).min(len as u32 - at));
            }
            4 if depth < 3 => {
                let entries = [(self.key(), self.value()), (self.key(), self.value())];
                list.insert(txn, at, MapPrelim::from(entries));
            }
            5 if depth < 3 => {
                list.insert(txn, at, ArrayPrelim::from([self.value()]));
            }
            6 => drop(list.insert(txn, at, TextPrelim::new(self.letters()))),
            _ => {
                list.insert_range(txn, at, [self.value(), self.value()]);
            }
        }
    }

    fn inside(&mut self, txn: &mut TransactionMut<'_>, value: Option<Out>, depth: usize) {
        match value {
            Some(Out::YMap(map)) => self.map(txn, &map, depth + 1),
            Some(Out::YArray(list)) => self.list(txn, &list, depth + 1),
            Some(Out::YText(text)) => {
                let at = self.dice.below(text.len(txn) as usize + 1) as u32;
                let letters = self.letters();
                text.insert(txn, at, &letters);
            }
            _ => (),
        }
    }

    fn children(&mut self, txn: &mut TransactionMut<'_>, of: &impl XmlFragment, depth: usize) {
        let len = of.len(txn);
        let at = self.dice.below(len as usize + 1) as u32;
        let child = of.get(txn, at.min(len.saturating_sub(1)));
        match (self.dice.below(10), child) {
            (0..6, Some(XmlOut::Element(element))) => self.element(txn, &element, depth + 1),
            (0..6, Some(XmlOut::Text(text))) => self.rich(txn, &text),
            (6, Some(_)) => of.remove_range(txn, at.min(len - 1), 1),
            (7, _) => {
                let letters = self.letters();
                of.insert(txn, at, XmlTextPrelim::new(letters));
            }
            _ => {
                let element =
                    of.insert(txn, at, XmlElementPrelim::empty(self.dice.pick(&["p", "li"])));
                element.insert_attribute(txn, "id", format!("n{}", self.number));
                let letters = self.letters();
                element.push_back(txn, XmlTextPrelim::new(letters));
            }
        }
    }

    fn element(&mut self, txn: &mut TransactionMut<'_>, element: &XmlElementRef, depth: usize) {
        match self.dice.below(6) {
            0 => {
                element.insert_attribute(txn, self.key(), format!("v{}", self.number));
            }
            1 => element.remove_attribute(txn, &self.key()),
            _ if depth < 4 => self.children(txn, element, depth),
            _ => (),
        }
    }
}
