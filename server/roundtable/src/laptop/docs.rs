//! The OpenAPI document, a page to browse it and to try it, and the documentation. All assets are in
//! this repository; the pages load nothing else.

use std::sync::Arc;

use axum::{Router, body::Body, http::Response, routing::get};
use markdown::{Page, address, escaped, headings, html};

use super::assets::{COLORS, ICON, asset, moved, zipped};

const OPENAPI: &str = include_str!("../../../../openapi.json");
const PAGE: &str = include_str!("../../assets/docs.html");
const STYLE: &str = include_str!("../../assets/docs.css");
const SCRIPT: &str = include_str!("../../assets/docs.js");
/// Compressed.
const SCALAR: &[u8] = include_bytes!("../../assets/scalar.js.gz");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The frame of a page of the documentation, and its style.
const FRAME: &str = include_str!("../../assets/page.html");
const FRAME_STYLE: &str = include_str!("../../assets/page.css");
const FRAME_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The folder of the decisions, whose list is a page.
const DECISIONS: &str = "docs/decisions";

/// The pages of the documentation.
#[derive(Clone)]
pub(crate) struct Documentation(Arc<[Page]>);

impl Documentation {
    pub(crate) fn new(pages: Vec<Page>) -> Self {
        Self(pages.into())
    }

    pub(crate) fn routes(&self) -> Router {
        let content =
            |kind, text: &'static str| get(move || async move { asset(POLICY, kind, text) });
        let router = Router::new()
            .route("/icon.svg", content("image/svg+xml", ICON))
            .route("/openapi.json", content("application/json", OPENAPI))
            .route("/docs", get(|| async { moved("/docs/") }))
            .route("/docs/", content("text/html; charset=utf-8", PAGE))
            .route("/docs/docs.css", content("text/css", STYLE))
            .route("/docs/docs.js", content("text/javascript", SCRIPT))
            .route("/docs/scalar.js", get(|| async { zipped(POLICY, SCALAR) }))
            .route("/docs/page.css", get(|| async { asset(FRAME_POLICY, "text/css", style()) }));
        documentation(router, &self.0)
    }
}

/// The pages of the documentation. An unknown one has no route and so the reply of any other
/// unknown path.
fn documentation(router: Router, all: &Arc<[Page]>) -> Router {
    let decisions = Page { file: DECISIONS.into(), text: decisions(all).into() };
    let router = router
        .route("/docs/contract", get(|| async { moved("/docs/contract/") }))
        .route("/docs/decisions", get(|| async { moved("/docs/decisions/") }));
    let pages = all.iter().cloned().chain([decisions]);
    let pages = pages.filter_map(|page| Some((address(&page.file)?, page)));
    pages.fold(router, |router, (address, page)| {
        let all = Arc::clone(all);
        router.route(&address, get(move || async move { show(&all, &page) }))
    })
}

fn show(pages: &[Page], page: &Page) -> Response<Body> {
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
