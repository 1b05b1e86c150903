use std::sync::Arc;

use aws::{EventHandler, Exit, HttpHandler};

use crate::{
    call::{Handler, answer, handler, unknown::unknown},
    config::{Environment, variable},
    operation::Operation,
    operation::binary,
    page::{Page, PageSpec},
    registry::WorkerSpec,
    socket::{Socket, SocketSpec},
    worker::Worker,
};

/// Serves one operation as a Lambda function, without its schemas, which only tools need.
///
/// # Errors
/// When a setting is missing, or the runtime ends.
pub fn serve<O: Operation>() -> Exit {
    serve_handler(O::NAME, handler::<O>())
}

fn serve_handler(name: &'static str, handler: Handler) -> Exit {
    start()?;
    aws::http(Box::pin(async move {
        let environment = Environment::start(true, true).await?;
        Ok(http_handler(environment, name, handler))
    }))
}

/// An operation as a handler of the gateway's calls.
pub fn http_handler(environment: Environment, name: &'static str, handler: Handler) -> HttpHandler {
    Arc::new(move |incoming| {
        let environment = environment.clone();
        Box::pin(async move { answer(&environment, name, handler, incoming).await })
    })
}

/// Serves one page as a Lambda function.
///
/// # Errors
/// When a setting is missing, or the runtime ends.
pub fn serve_page<P: Page>() -> Exit {
    serve_page_of(PageSpec::of::<P>())
}

fn serve_page_of(page: PageSpec) -> Exit {
    start()?;
    aws::http(Box::pin(async move {
        let environment = Environment::start(true, false).await?;
        Ok(page_handler(environment, page))
    }))
}

/// A page as a handler of the gateway's calls.
pub fn page_handler(environment: Environment, page: PageSpec) -> HttpHandler {
    let page = Arc::new(page);
    Arc::new(move |incoming| {
        let (environment, page) = (environment.clone(), Arc::clone(&page));
        Box::pin(async move { page.answer(&environment, incoming).await })
    })
}

/// Serves one socket function as a Lambda function.
///
/// # Errors
/// When a setting is missing, or the runtime ends.
pub fn serve_socket<S: Socket>() -> Exit {
    serve_socket_of(SocketSpec::of::<S>())
}

fn serve_socket_of(socket: SocketSpec) -> Exit {
    start()?;
    aws::run_events(Box::pin(async move {
        let environment = Environment::start(true, true).await?;
        let socket = Arc::new(socket);
        let handler: EventHandler = Arc::new(move |event| {
            let (environment, socket) = (environment.clone(), Arc::clone(&socket));
            Box::pin(async move { socket.answer(&environment, event).await })
        });
        Ok(handler)
    }))
}

/// Serves the default route as a Lambda function; `paths` are those of operations, a line each.
///
/// # Errors
/// When the runtime ends.
pub fn serve_unknown(paths: &'static str) -> Exit {
    start()?;
    let paths: Arc<[&str]> = paths.lines().collect();
    aws::http(Box::pin(async {
        let handler: HttpHandler = Arc::new(move |incoming| {
            let paths = Arc::clone(&paths);
            Box::pin(async move { unknown(&incoming, &paths) })
        });
        Ok(handler)
    }))
}

/// The name of a function, and its server.
pub type Served = (&'static str, fn() -> Exit);

/// Serves the function of a family that Lambda names as the handler, such as `folders-get`.
///
/// # Errors
/// When the family has no such function, or as that fails.
pub fn serve_family(family: &[&[Served]]) -> Exit {
    let handler = variable("_HANDLER").unwrap_or_default();
    let mut functions = family.iter().copied().flatten();
    match functions.find(|(name, _)| binary(name) == handler) {
        Some((_, serve)) => serve(),
        None => Err(format!("there is no function {handler} in this archive").into()),
    }
}

/// Serves one worker as a Lambda function.
///
/// # Errors
/// When a setting is missing, or the runtime ends.
pub fn work<W: Worker>() -> Exit {
    work_of(WorkerSpec::of::<W>())
}

fn work_of(worker: WorkerSpec) -> Exit {
    start()?;
    aws::run_events(Box::pin(async move {
        let environment = Environment::start(worker.needs_keyring, false).await?;
        let worker = Arc::new(worker);
        let handler: EventHandler = Arc::new(move |event| {
            let (environment, worker) = (environment.clone(), Arc::clone(&worker));
            Box::pin(async move { worker.run(&environment, event).await })
        });
        Ok(handler)
    }))
}

fn start() -> Exit {
    aws::init_logging(variable("LOG_LEVEL").as_deref())?;
    std::panic::set_hook(Box::new(|panic| {
        // The text of a panic may quote the request; its location suffices.
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "A panic was caught.");
    }));
    Ok(())
}
