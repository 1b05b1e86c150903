//! The OpenAPI document, a page to browse it and to try it, and the documentation. All assets are in
//! this repository; the pages load nothing else.

use axum::{Router, body::Body, extract::State, http::Response, routing::get};
use markdown::{Page, address, escaped, headings, html};

use crate::{
    Stack,
    assets::{COLORS, asset, moved, zipped},
};

const OPENAPI: &str = include_str!("../../../openapi.json");
const PAGE: &str = include_str!("../assets/docs.html");
const STYLE: &str = include_str!("../assets/docs.css");
const SCRIPT: &str = include_str!("../assets/docs.js");
/// Compressed.
const SCALAR: &[u8] = include_bytes!("../assets/scalar.js.gz");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The frame of a page of the documentation, and its style.
const FRAME: &str = include_str!("../assets/page.html");
const FRAME_STYLE: &str = include_str!("../assets/page.css");
const FRAME_POLICY: &str = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The folder of the decisions, whose list is a page.
const DECISIONS: &str = "docs/decisions";

pub(crate) fn routes(stack: &Stack) -> Router<Stack> {
    let content = |kind, text: &'static str| get(move || async move { asset(POLICY, kind, text) });
    let router = Router::new()
        .route("/openapi.json", content("application/json", OPENAPI))
        .route("/docs", get(|| async { moved("/docs/") }))
        .route("/docs/", content("text/html; charset=utf-8", PAGE))
        .route("/docs/docs.css", content("text/css", STYLE))
        .route("/docs/docs.js", content("text/javascript", SCRIPT))
        .route("/docs/scalar.js", get(|| async { zipped(POLICY, SCALAR) }))
        .route("/docs/page.css", get(|| async { asset(FRAME_POLICY, "text/css", style()) }));
    documentation(router, &stack.inner.documentation)
}

/// The pages of the documentation. An unknown one has no route and so the reply of any other
/// unknown path.
fn documentation(router: Router<Stack>, pages: &[Page]) -> Router<Stack> {
    let decisions = Page { file: DECISIONS.into(), text: decisions(pages).into() };
    let router = router
        .route("/docs/contract", get(|| async { moved("/docs/contract/") }))
        .route("/docs/decisions", get(|| async { moved("/docs/decisions/") }));
    let pages = pages.iter().cloned().chain([decisions]);
    let pages = pages.filter_map(|page| Some((address(&page.file)?, page)));
    pages.fold(router, |router, (address, page)| {
        let shown = move |State(stack): State<Stack>| async move { show(&stack, &page) };
        router.route(&address, get(shown))
    })
}

fn show(stack: &Stack, page: &Page) -> Response<Body> {
    let pages = &stack.inner.documentation;
    let is_served = |file: &str| file == DECISIONS || pages.iter().any(|page| page.file == file);
    let content = html(&page.file, &page.text, is_served);
    let title = headings(&page.text).into_iter().next().map(|(_, title)| title);
    let title = escaped(&title.unwrap_or_default());
    let shown = FRAME.replace("{{title}}", &title).replace("{{content}}", &content);
    asset(FRAME_POLICY, "text/html; charset=utf-8", shown)
}

/// The list of all decisions.
fn decisions(pages: &[Page]) -> String {
    let decisions = pages.iter().filter_map(|page| {
        let name = page.file.strip_prefix(DECISIONS)?;
        let (_, title) = headings(&page.text).into_iter().next()?;
        Some(format!("- [{title}](decisions{name})\n"))
    });
    format!("# Decisions\n\n{}", decisions.collect::<String>())
}

fn style() -> String {
    format!("{COLORS}{FRAME_STYLE}")
}
