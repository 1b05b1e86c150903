//! Text in texts of Lexical and Slate, and other types that XML cannot hold.

use crdt::{Content, Kind, replace};
use serde_json::json;
use yrs::{
    Any, Doc, MapPrelim, Text, Transact, Xml, XmlElementPrelim, XmlFragment, XmlTextPrelim,
    XmlTextRef, branch::Branch, branch::BranchPtr, types::Attrs,
};

use crate::{
    cursors::everything,
    samples::{KEY, get, loaded, put},
};

/// A root that is itself a text, as Lexical and Slate have it.
fn text_root(doc: &Doc) -> XmlTextRef {
    let root = doc.get_or_insert_text(KEY);
    XmlTextRef::from(BranchPtr::from(AsRef::<Branch>::as_ref(&root)))
}

#[test]
fn all_text_of_lexical_is_shown_and_blocks_are_apart() {
    let doc = Doc::with_client_id(9);
    let root = text_root(&doc);
    let mut txn = doc.transact_mut();
    let block = |txn: &mut yrs::TransactionMut<'_>, parent: &XmlTextRef, kind: &str| {
        let at = parent.len(txn);
        let block = parent.insert_embed(txn, at, XmlTextPrelim::new(""));
        block.insert_attribute(txn, "__type", kind);
        block
    };
    let run = |txn: &mut yrs::TransactionMut<'_>, parent: &XmlTextRef, text: &str| {
        let at = parent.len(txn);
        parent.insert_embed(txn, at, MapPrelim::from([("__type", "text")]));
        parent.insert(txn, at + 1, text);
    };
    let heading = block(&mut txn, &root, "heading");
    heading.insert_attribute(&mut txn, "__tag", "h1");
    heading.insert_attribute(&mut txn, "__dir", Any::Null);
    run(&mut txn, &heading, "Title");
    let paragraph = block(&mut txn, &root, "paragraph");
    run(&mut txn, &paragraph, "Hello ");
    run(&mut txn, &paragraph, "bold");
    let at = paragraph.len(&txn);
    paragraph.insert_embed(&mut txn, at, MapPrelim::from([("__type", "linebreak")]));
    run(&mut txn, &paragraph, "a < b");
    let list = block(&mut txn, &root, "list");
    for point in ["first point", "second point"] {
        let item = block(&mut txn, &list, "listitem");
        run(&mut txn, &item, point);
    }
    drop(txn);
    let mut state = loaded(&everything(&doc));
    let shown = "<heading __tag=\"h1\">Title</heading><paragraph>Hello bold<linebreak></linebreak>\
        a &lt; b</paragraph><list><listitem>first point</listitem><listitem>second point</listitem>\
        </list>";
    assert_eq!(get(&state, Kind::Xml), json!(shown));
    let content = Content::new(Kind::Xml, json!("<p>other</p>")).expect("content");
    let refusal = replace(&mut state, KEY, &content).expect_err("refused");
    assert!(refusal.message.contains("Lexical"), "{}", refusal.message);
    assert!(put(&mut state, Kind::Xml, &json!(shown)).update.is_empty());
}

/// Characters of a text of Lexical follow an object that says what they are.
#[test]
fn formats_mentions_code_and_pictures_of_lexical_are_shown() {
    let doc = Doc::with_client_id(9);
    let root = text_root(&doc);
    let mut txn = doc.transact_mut();
    let paragraph = root.insert_embed(&mut txn, 0, XmlTextPrelim::new(""));
    paragraph.insert_attribute(&mut txn, "__type", "paragraph");
    for (kind, format, text) in [
        ("text", 0, "plain "),
        ("text", 3, "both"),
        ("mention", 0, "Ada"),
        ("code-highlight", 0, " let"),
        ("linebreak", 0, ""),
        ("text", 16, "code"),
    ] {
        let at = paragraph.len(&txn);
        let entries = [("__type", Any::from(kind)), ("__format", Any::from(format))];
        paragraph.insert_embed(&mut txn, at, MapPrelim::from(entries));
        paragraph.insert(&mut txn, at + 1, text);
    }
    let picture = root.insert_embed(&mut txn, 1, XmlElementPrelim::empty("UNDEFINED"));
    picture.insert_attribute(&mut txn, "__type", "image");
    picture.insert_attribute(&mut txn, "__src", "a.png");
    drop(txn);
    let state = loaded(&everything(&doc));
    let shown = "<paragraph>plain <bold><italic>both</italic></bold><mention __format=\"0\">Ada\
        </mention> let<linebreak __format=\"0\"></linebreak><code>code</code></paragraph>\
        <image __src=\"a.png\"></image>";
    assert_eq!(get(&state, Kind::Xml), json!(shown));
}

#[test]
fn all_text_of_slate_is_shown() {
    let doc = Doc::with_client_id(9);
    let root = text_root(&doc);
    let mut txn = doc.transact_mut();
    root.insert(&mut txn, 0, "loose");
    let quote = root.insert_embed(&mut txn, 5, XmlTextPrelim::new(""));
    quote.insert_attribute(&mut txn, "type", "block quote");
    let line = quote.insert_embed(&mut txn, 0, XmlTextPrelim::new("plain bold"));
    line.format(&mut txn, 6, 4, Attrs::from([("bold".into(), Any::from(true))]));
    drop(txn);
    let state = loaded(&everything(&doc));
    let shown = "loose<block_x0020_quote><block>plain <bold>bold</bold></block>\
        </block_x0020_quote>";
    assert_eq!(get(&state, Kind::Xml), json!(shown));
}

/// Nested text below an element cannot be changed either, and what is unchanged stays acceptable.
#[test]
fn nested_text_within_elements_is_shown_and_not_changed() {
    let doc = Doc::with_client_id(9);
    let root = doc.get_or_insert_xml_fragment(KEY);
    let mut txn = doc.transact_mut();
    let quote = root.push_back(&mut txn, XmlElementPrelim::empty("quote"));
    let block = quote.push_back(&mut txn, XmlTextPrelim::new("words"));
    block.insert_attribute(&mut txn, "type", "line");
    drop(txn);
    let mut state = loaded(&everything(&doc));
    let shown = json!("<quote><line>words</line></quote>");
    assert_eq!(get(&state, Kind::Xml), shown);
    assert!(put(&mut state, Kind::Xml, &shown).update.is_empty());
    let content = Content::new(Kind::Xml, json!("<quote><line>word</line></quote>"));
    assert!(replace(&mut state, KEY, &content.expect("content")).is_err());
    assert_eq!(get(&state, Kind::Xml), shown);
}

#[test]
fn what_xml_cannot_hold_is_named_and_stays() {
    let doc = Doc::with_client_id(9);
    let root = doc.get_or_insert_xml_fragment(KEY);
    let mut txn = doc.transact_mut();
    let paragraph = root.push_back(&mut txn, XmlElementPrelim::empty("p"));
    let text = paragraph.push_back(&mut txn, XmlTextPrelim::new("ab"));
    let image = Any::from_json(r#"{"src":"a-->b"}"#).expect("JSON");
    text.insert_embed(&mut txn, 1, image);
    drop(txn);
    let mut state = loaded(&everything(&doc));
    let shown = "<p>a<!-- Embed {\"src\":\"a-\\u002d>b\"} -->b</p>";
    assert_eq!(get(&state, Kind::Xml), json!(shown));
    assert!(put(&mut state, Kind::Xml, &json!(shown)).update.is_empty());
    put(&mut state, Kind::Xml, &json!(shown.replace("b</p>", "c</p>")));
    assert_eq!(get(&state, Kind::Xml), json!(shown.replace("b</p>", "c</p>")));
}
