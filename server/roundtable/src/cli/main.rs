//! `cargo run`: the whole service on this machine.

mod commands;
mod options;
mod pages;

use std::{process::ExitCode, time::Duration};

use roundtable::{EnvFile, HostSetup, Setup, Stack};
use serde_json::json;
use service::{Clock, Egress, Keyring};
use tokio::net::TcpListener;

use crate::options::{Command, Options};

/// With the allocator of glibc, a third of the processor time of a busy service is allocation.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Exit code of a failed start.
const UNUSABLE: u8 = 2;
/// Time limit of calls and work in progress after Ctrl-C.
const GRACE: Duration = Duration::from_millis(1500);
/// Time limit after SIGTERM: a supervisor waits for longer than a person.
const LONG_GRACE: Duration = Duration::from_secs(25);

fn main() -> ExitCode {
    let Some(options) = Options::read() else { return ExitCode::SUCCESS };
    if let Err(reason) = service::init_logging(options.log_level.as_deref()) {
        return refuse(&reason);
    }
    roundtable::create_for_owner_only();
    if let Some(Command::Task(task)) = &options.command {
        return match commands::run(task, &options) {
            Ok(done) => {
                println!("{done}");
                ExitCode::SUCCESS
            }
            Err(reason) => {
                refuse(&reason);
                ExitCode::FAILURE
            }
        };
    }
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(e) => return refuse(&e.to_string()),
    };
    let result = runtime.block_on(run(options));
    runtime.shutdown_timeout(Duration::from_millis(200));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => refuse(&reason),
    }
}

fn refuse(reason: &str) -> ExitCode {
    eprintln!("roundtable: {reason}");
    ExitCode::from(UNUSABLE)
}

async fn run(options: Options) -> Result<(), String> {
    options.check()?;
    let env_file = match &options.command {
        Some(Command::Dev(dev)) => Some(EnvFile::find(&dev.env_file)?),
        _ => None,
    };
    let address = (options.host, options.port);
    let busy = |e| format!("port {} of {} cannot be used: {e}", options.port, options.host);
    let listener = TcpListener::bind(address).await.map_err(busy)?;
    let address = listener.local_addr().map_err(busy)?;
    let metrics = options.metrics.open().await?;
    let (egress, live, delays) = (options.egress(), options.live(), options.delays());
    let (limits, is_laptop) = (options.limits(), options.is_laptop());
    let is_synced = options.is_synced();
    let data = options.data()?;
    if let Some(file) = data.upgrade(|file| commands::back_up_stopped(&data, file))? {
        tracing::info!(backup = %file.display(), "The data were brought to the format of this version.");
    }
    let aws = options.aws(&data)?;
    // The output of a service that others reach is read by others, too.
    let given_token = options.admin_token()?;
    let hidden_token = match (&options.admin_token_file, &given_token) {
        (Some(file), _) => format!("$(cat {})", file.display()),
        (None, Some(_)) => "$ADMIN_TOKEN".to_owned(),
        (None, None) => format!("$(cat {})", data.path().join("admin-token").display()),
    };
    let admin_token = match given_token {
        Some(token) => token,
        None => data.admin_token()?,
    };
    let shown_token = if is_laptop { admin_token.clone() } else { hidden_token };
    let keyring = match options.keyring()? {
        Some(keyring) => keyring,
        None => data.keyring()?,
    };
    let smtp = options.mail.smtp()?;
    let names = options.names.read()?;
    let base = match &options.public_url {
        Some(url) => url.as_str().to_owned(),
        None => format!("http://{address}"),
    };
    let clock = Clock::default();
    let functions = HostSetup {
        dir: Some(data.path().to_owned()),
        is_synced,
        snapshot: None,
        keyring: Keyring::parse(&keyring).map_err(|e| format!("the keyring is damaged: {e}"))?,
        admin_token: admin_token.clone(),
        clock: clock.clone(),
        regions: None,
        outbox: None,
        public_url: Some(base.clone()),
        egress,
        email_provider_url: options.email_provider_url,
        smtp,
        sender: options.mail.mail_from,
        is_separate: options.is_separate,
        limits,
        default_document_access_type: options.default_document_access_type,
        names: names.map(Into::into),
        aws,
        delays,
        families: registry::families(),
    };
    let stack = Stack::open(Setup {
        functions,
        gateway: options.gateway.gateway(),
        live,
        host: options.public_url.filter(|_| !is_laptop),
        is_laptop,
        documentation: pages::all(),
    })
    .await?;
    match stack.variables() {
        Some(mut variables) => {
            variables.extend([("KEYRING", keyring), ("ADMIN_TOKEN", admin_token.clone())]);
            data.write("env.json", &json!({ "Parameters": variables }).to_string())?;
        }
        None => data.remove("env.json")?,
    }
    #[cfg(unix)]
    if let Err(reason) = roundtable::listen(stack.embedded().clone(), data.path().to_owned()) {
        tracing::warn!(reason, "A backup needs the service to be stopped.");
    }
    if let Some(schedule) = options.backups.schedule() {
        schedule.follow(stack.embedded().clone(), clock, data.path().to_owned())?;
    }
    stack.sources(Some(data.path().join("streams"))).spawn();
    if let Some((listener, token)) = metrics {
        tokio::spawn(roundtable::serve_metrics(stack.clone(), listener, token));
    }
    println!("{}", welcome(&stack, &base, data.path(), &shown_token, is_laptop));
    if let Some(file) = env_file {
        println!("{}\n", write_settings(&stack, &base, &file).await?);
    }
    match egress {
        Egress::Public => {}
        Egress::Networks(_) => println!("Webhooks to some private networks are allowed.\n"),
        Egress::Private | Egress::Local => {
            println!("Webhooks to loopback and private networks are allowed.\n");
        }
    }

    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let served = roundtable::serve(stack.clone(), listener, async {
        let _ = stopped.await;
    });
    let served = tokio::spawn(served);
    let grace = signal().await.map_err(|e| e.to_string())?;
    tracing::info!("The service ends.");
    let _ = stop.send(());
    let ended = async {
        let _ = tokio::join!(stack.end_work(), served);
    };
    if tokio::time::timeout(grace, ended).await.is_err() {
        tracing::warn!("The service ended before its work: messages come again after the start.");
    }
    Ok(())
}

/// Writes what an app in development needs; returns what to print.
async fn write_settings(stack: &Stack, base: &str, file: &EnvFile) -> Result<String, String> {
    let key = stack.development_key().await?.ok_or("the users of this machine are not trusted")?;
    file.write(&[
        ("ROUNDTABLE_URL", base),
        ("VITE_ROUNDTABLE_URL", base),
        ("ROUNDTABLE_API_KEY", &key.api_key),
        ("ROUNDTABLE_AUTH_TOKEN", &key.auth_token),
    ])?;
    let open = match file.is_ignored() {
        true => "",
        false => " Git does not ignore it: name it in .gitignore, because it has an API key.",
    };
    Ok(format!(
        "{} has the settings of your app.{open} Sessions of development: POST {base}/dev/session",
        file.path().display()
    ))
}

/// Waits for a signal to end; returns the time for what is in progress.
#[cfg(unix)]
async fn signal() -> std::io::Result<Duration> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed.map(|()| GRACE),
        _ = terminate.recv() => Ok(LONG_GRACE),
    }
}

#[cfg(not(unix))]
async fn signal() -> std::io::Result<Duration> {
    tokio::signal::ctrl_c().await.map(|()| GRACE)
}

/// The text that is printed at the start, with the admin token or the word of a shell that stands
/// for it; `pages` says whether console and demo are served.
fn welcome(
    stack: &Stack,
    base: &str,
    data: &std::path::Path,
    admin_token: &str,
    pages: bool,
) -> String {
    let console = format!("\n  Console      {base}/#{admin_token}");
    let demo = format!(
        "\n  Demo         {base}/demo/?as=ada and {base}/demo/?as=bob\n  Kit          {base}/kit/"
    );
    let outbox = if pages { format!(", {base}/outbox/") } else { String::new() };
    let pages = if pages { console + &demo } else { String::new() };
    let file = |name: &str| data.join(name).display().to_string();
    let aws = stack.aws_endpoint().map(|endpoint| {
        format!(
            "\n  AWS          {endpoint} (DynamoDB, SQS and SES; session token in {})\
             \n  Variables    {} (for sam local invoke --env-vars)",
            file("aws-session-token"),
            file("env.json")
        )
    });
    let aws = aws.unwrap_or_default();
    format!(
        r#"
Roundtable is running.

  API          {base}
  Live         {}/live{pages}
  Reference    {base}/docs/
  Contract     {base}/docs/contract/
  OpenAPI      {base}/openapi.json{aws}
  Data         {}
  Mails        {}{outbox}
  Admin token  {admin_token}

Create a workspace, get the token of its API key, add a document and read it back:

  W=$(curl -s {base}/v2/workspace/create -H "x-service-admin-token: {admin_token}" -d '{{"data":{{"ownerEmail":"you@example.com"}}}}'); echo "$W"; K=$(echo "$W" | sed 's/.*"apiKeyList":{{"\([^"]*\)".*/\1/')

  T=$(curl -s {base}/v2/workspace/authtokens/get -H "x-service-workspace-id: $(echo "$W" | sed 's/.*"id":"\(ws_[^"]*\)".*/\1/')" -H "x-service-workspace-auth-token: $(echo "$W" | sed 's/.*"authToken":"\([^"]*\)".*/\1/')" -d '{{"data":{{"apiKey":"'$K'"}}}}' | sed 's/.*"token":"\([^"]*\)".*/\1/'); echo "$T"

  for STEP in add get; do curl -s {base}/v2/organizations/documents/$STEP -H "x-service-api-key: $K" -H "x-service-auth-token: $T" -d '{{"data":{{"organizationId":"acme","createOrganization":true,"documents":[{{"documentId":"welcome","documentName":"Welcome"}}]}}}}'; echo; done
"#,
        base.replacen("http", "ws", 1),
        data.display(),
        file("outbox")
    )
}
