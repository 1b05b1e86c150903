use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    Dialect, MAX_BYTES, MAX_PLACEHOLDERS, NameOf, Sink, Values, excerpt, one_line, render, shorten,
};
use crate::Metadata;

fn map(value: Value) -> Metadata {
    value.as_object().cloned().unwrap()
}

fn plain(template: &str, values: Value) -> String {
    let values = map(values);
    render(template, Dialect::Braces, &Values::new().then(&values), Sink::Plain)
}

#[test]
fn a_variable_is_replaced_in_the_ways_its_dialect_writes_it() {
    let values = map(json!({ "a": "1", "b_2": 2 }));
    for (template, braces, double) in [
        ("{a}", "1", "{a}"),
        ("{{a}}", "1", "1"),
        ("{ a }-{{  b_2 }}", "1-2", "{ a }-2"),
        ("{{a}", "{1", "{{a}"),
        ("{a}}", "1}", "{a}}"),
        ("{{{a}}}", "{1}", "{1}"),
        ("{{a} }", "{1 }", "{{a} }"),
        ("{a b}{}{{}}{1}{a-b}{.a}{a.}{a..a}{ä}", "=", "="),
        ("{", "=", "="),
        ("{{a", "=", "="),
        ("{unknown} {{ unknown }}", "=", "="),
    ] {
        let layers = Values::new().then(&values);
        let expected = |text: &str| if text == "=" { template.to_owned() } else { text.to_owned() };
        let rendered = |dialect| render(template, dialect, &layers, Sink::Plain);
        assert_eq!(rendered(Dialect::Braces), expected(braces), "{template}");
        assert_eq!(rendered(Dialect::DoubleBraces), expected(double), "{template}");
    }
}

#[test]
fn a_value_is_shown_as_a_reader_expects_it() {
    let ann = json!({ "userId": "u1", "name": "Ann", "email": "ann@x.test" });
    let bob = json!({ "userId": "u2", "name": " ", "email": "bob@x.test" });
    let eve = json!({ "userId": "u3" });
    for (value, shown) in [
        (json!("text"), "text"),
        (json!(1.5), "1.5"),
        (json!(true), "true"),
        (json!(null), ""),
        (ann.clone(), "Ann"),
        (bob.clone(), "bob@x.test"),
        (eve.clone(), "u3"),
        (json!({ "other": 1 }), "{v}"),
        (json!([]), ""),
        (json!([ann]), "Ann"),
        (json!([ann, bob]), "Ann and bob@x.test"),
        (json!([ann, bob, eve]), "Ann, bob@x.test and 1 other"),
        (json!([ann, null, bob, eve, "Zoe", [1]]), "Ann, bob@x.test and 2 others"),
    ] {
        assert_eq!(plain("{v}", json!({ "v": value })), shown, "{value}");
    }
}

#[test]
fn a_path_leads_into_an_object_and_the_first_layer_that_has_it_counts() {
    let data = map(json!({ "actionUser": "somebody", "count": null }));
    let built_in = map(json!({ "actionUser": { "name": "Ann", "email": "a@x.test" }, "count": 3 }));
    let values = Values::new().then(&data).then(&built_in);
    let text = "{actionUser} {actionUser.email} {actionUser.name.x} [{count}]";
    assert_eq!(
        render(text, Dialect::Braces, &values, Sink::Plain),
        "somebody a@x.test {actionUser.name.x} []"
    );
}

#[test]
fn only_so_many_variables_are_replaced() {
    let text = plain(&"{a}".repeat(MAX_PLACEHOLDERS + 2), json!({ "a": "x" }));
    assert_eq!(text, format!("{}{{a}}{{a}}", "x".repeat(MAX_PLACEHOLDERS)));
}

#[test]
fn a_long_text_ends_with_an_ellipsis_between_characters() {
    let family = "👩‍👩‍👧";
    let text = plain("{a}", json!({ "a": family.repeat(1000) }));
    assert!(text.len() <= MAX_BYTES && text.len() > MAX_BYTES - 40, "{}", text.len());
    let whole = text.strip_suffix('…').unwrap();
    assert_eq!(whole.len() % family.len(), 0);
    assert_eq!(plain(&"y".repeat(MAX_BYTES), json!({})).len(), MAX_BYTES);
    assert_eq!(shorten("abcdef", 6), "abcdef");
    assert_eq!(shorten("abcdefg", 6), "abcde…");
    assert_eq!(shorten(&family.repeat(2), 9), format!("{family}…"));
}

#[test]
fn a_plain_text_can_neither_end_a_header_nor_turn_around() {
    let evil = "a\r\nBcc: x\u{202E}y\u{2066}\0\u{7}\u{2028}z";
    assert_eq!(plain("{a}", json!({ "a": evil })), "a Bcc: xy z");
    assert_eq!(plain(evil, json!({})), "a Bcc: xy z");
    assert_eq!(one_line("שלום 👩‍👧 é"), "שלום 👩‍👧 é");
}

#[test]
fn html_is_escaped_for_text_and_attributes() {
    let values = map(json!({ "a": "<b class='x' id=\"y\">&amp;" }));
    let values = Values::new().then(&values);
    assert_eq!(
        render("<i>{a}</i>", Dialect::Braces, &values, Sink::Html),
        "&lt;i&gt;&lt;b class=&#39;x&#39; id=&quot;y&quot;&gt;&amp;amp;&lt;/i&gt;"
    );
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-c{}<>&\"' .\\PC\r\n]{0,40}".prop_map(Value::from),
        "(\\{\\{?[a-c]\\}\\}?){0,4}".prop_map(Value::from),
        "\\PC{0,9000}".prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        Just(Value::Null),
        "[{}a-c<]{0,8}".prop_map(|name| json!({ "name": name })),
        proptest::collection::vec("[{}a-c<]{0,8}", 0..5).prop_map(Value::from),
    ]
}

fn template() -> impl Strategy<Value = String> {
    proptest::collection::vec("\\{\\{?[a-d]\\}\\}?|[{}<&a-c \\PC]{0,6}", 0..90)
        .prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn the_output_is_bounded_and_no_value_brings_markup(
        template in template(), a in value(), b in value(), c in value(),
    ) {
        let values = map(json!({ "a": a, "b": b, "c": c }));
        for dialect in [Dialect::Braces, Dialect::DoubleBraces] {
            let layers = Values::new().then(&values);
            let html = render(&template, dialect, &layers, Sink::Html);
            prop_assert!(html.len() <= MAX_BYTES);
            prop_assert!(!html.contains(['<', '>', '"', '\'']));
            let text = render(&template, dialect, &layers, Sink::Plain);
            prop_assert!(text.len() <= MAX_BYTES);
            prop_assert!(!text.contains(char::is_control));
        }
    }

    /// `⟦` and `⟧` mark where a value starts and ends: what stands between is the value.
    #[test]
    fn no_value_is_expanded_again(names in proptest::collection::vec(0..3_usize, 0..20)) {
        let shown = ["⟦{b}{{c}}⟧", "⟦{{a}}{c⟧", "⟦a}{b}}⟧"];
        let values = map(json!({ "a": shown[0], "b": shown[1], "c": shown[2] }));
        let template: String = names.iter().map(|i| ["{a}", "{{b}}", "{ c }"][*i]).collect();
        let expected: String = names.iter().map(|i| shown[*i]).collect();
        let text = render(&template, Dialect::Braces, &Values::new().then(&values), Sink::Plain);
        prop_assert_eq!(text, expected);
    }
}

#[test]
fn an_excerpt_names_who_is_mentioned_and_never_reads_a_name_again() {
    let names = [("a", "Ann {{b}}"), ("b", "Bob {{a}}"), ("}", "Brace"), ("a", "Other")];
    let names = names.map(|(id, name)| NameOf { id, name });
    for (text, shown) in [
        ("hello {{a}}", "hello @Ann {{b}}"),
        (" {{b}}{{a}}\n", "@Bob {{a}}@Ann {{b}}"),
        ("{{{a}}} {{}}}", "{@Ann {{b}}} @Brace"),
        ("{{c}} {{a} {{ a }} {{", "{{c}} {{a} {{ a }} {{"),
        ("a\r\nb\u{202E}c", "a bc"),
        (" \n ", ""),
    ] {
        assert_eq!(excerpt(text, &names, 280), shown, "{text:?}");
    }
}

#[test]
fn an_excerpt_is_as_long_as_it_may_be_and_cut_as_ever() {
    for len in [0, 1, 279, 280, 281, 2000] {
        for c in ["x", "é", "😀", "{{"] {
            let text = c.repeat(len);
            assert_eq!(excerpt(&text, &[], 280), shorten(&text, 280), "{c} {len}");
        }
    }
}

#[test]
fn mentions_of_names_that_mention_do_not_multiply() {
    let names: Vec<(String, String)> =
        (0..200).map(|n| (n.to_string(), format!("{{{{{}}}}}", n + 1).repeat(150))).collect();
    let names: Vec<NameOf<'_>> = names.iter().map(|(id, name)| NameOf { id, name }).collect();
    let shown = excerpt(&"{{0}}".repeat(20_000), &names, 280);
    assert_eq!(shown.chars().count(), 280);
    assert!(shown.starts_with("@{{1}}{{1}}"), "{shown}");
}
