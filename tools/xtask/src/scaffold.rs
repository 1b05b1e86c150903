//! A new operation that compiles, as a starting point.

use registry::pascal;
use serde_json::json;

use crate::project::Project;

/// Writes all files of an operation; returns the remaining steps.
pub(crate) fn new(project: &Project, family: &str, module: &str) -> Result<String, String> {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
    if !module.split('_').all(is_word) {
        return Err(format!("{module} is no module: small letters, with `_` between words."));
    }
    let dir = format!("functions/{family}");
    let (manifest, lib) = (format!("{dir}/Cargo.toml"), format!("{dir}/src/lib.rs"));
    if !project.has(&manifest) {
        return Err(format!("There is no family {dir}; copy the manifest of another one first."));
    }
    let known = project.specs().map(|spec| (spec.name, spec.paths[0]));
    let names = Names::new(family, module, known);
    let files = [
        (format!("{dir}/src/{module}.rs"), names.operation()),
        (format!("{dir}/src/bin/{module}.rs"), names.entry()),
        (format!("events/{}.json", names.binary), names.sample()?),
        (format!("{}/{module}.rs", names.tests), names.test()),
    ];
    if let Some((file, _)) = files.iter().find(|(file, _)| project.has(file)) {
        return Err(format!("{file} is there already."));
    }
    let listed = names.list(&project.read(&lib)?).map_err(|fault| format!("{lib}: {fault}"))?;
    let manifest_text = format!("{}{}", project.read(&manifest)?, names.target());
    let modules = format!("{}.rs", names.tests);
    let mut tests: Vec<String> =
        project.read_if_there(&modules)?.unwrap_or_default().lines().map(str::to_owned).collect();
    let last = tests.iter().rposition(|line| line.starts_with("mod "));
    tests.insert(last.map_or(0, |at| at + 1), format!("mod {module};"));

    project.write(&lib, &listed)?;
    project.write(&manifest, &manifest_text)?;
    project.write(&modules, &(tests.join("\n") + "\n"))?;
    for (file, text) in &files {
        project.write(file, text)?;
    }
    let written: Vec<&str> = files.iter().map(|(file, _)| file.as_str()).collect();
    Ok(format!(
        "{} was added: {}.\nNext: its paths, level, members and handler in the first of them; its \
         sentence in {lib}; its sample and its test; `cargo fmt`; its section in docs/contract; then \
         `cargo xtask record {}` and `cargo xtask check`. See docs/CONTRIBUTING.md.",
        names.name,
        written.join(", "),
        names.name
    ))
}

/// The names of an operation in all its places.
struct Names {
    name: String,
    binary: String,
    module: String,
    /// The crate, as Rust names it.
    krate: String,
    /// The type.
    operation: String,
    path: String,
    tests: String,
}

impl Names {
    /// Of an operation beside `known` ones, by name and path.
    fn new<'a>(
        family: &str,
        module: &str,
        known: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        // `folders access_update` is UpdateFoldersAccess: the verb is the last part of a path.
        let (noun, verb) = module.rsplit_once('_').unwrap_or(("", module));
        let krate = family.replace('-', "_");
        let mut prefixes = known.filter_map(|(name, path)| {
            let (of, module) = name.split_once('.')?;
            path.strip_suffix(&format!("/{}", module.replace('_', "/"))).filter(|_| of == family)
        });
        let own = format!("/v2/{}", family.replace('-', ""));
        let prefix = prefixes.next().unwrap_or(&own);
        Self {
            name: format!("{family}.{module}"),
            binary: format!("{family}-{}", module.replace('_', "-")),
            module: module.to_owned(),
            operation: format!("{}{}{}", pascal(verb), pascal(family), pascal(noun)),
            path: format!("{prefix}/{}", module.replace('_', "/")),
            tests: format!("tests/it/{krate}"),
            krate,
        }
    }

    fn operation(&self) -> String {
        let Self { path, operation, .. } = self;
        format!(
            "//! `POST {path}`: todo.

use service::{{NoData, prelude::*}};

pub enum {operation} {{}}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = \"camelCase\")]
pub struct Request {{
    organization_id: OrganizationId,
}}

impl Operation for {operation} {{
    const PATHS: &'static [&'static str] = &[\"{path}\"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = NoData;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {{
        let _organization = cx.organization(&request.organization_id);
        Ok(success(\"todo\", NoData {{}}))
    }}
}}
"
        )
    }

    fn entry(&self) -> String {
        let Self { krate, name, operation, .. } = self;
        format!("//! Serves `{name}`.\n\nservice::main!({krate}::{operation});\n")
    }

    fn target(&self) -> String {
        let Self { binary, module, .. } = self;
        format!("\n[[bin]]\nname = \"{binary}\"\npath = \"src/bin/{module}.rs\"\ntest = false\n")
    }

    /// `lib.rs` with the operation at the end of its list.
    fn list(&self, lib: &str) -> Result<String, String> {
        let Self { module, operation, .. } = self;
        let line = format!("    /// todo: what it does.\n    {module}::{operation},\n");
        const LIST: &str = "service::operations! {\n";
        let Some(start) = lib.find(LIST) else {
            return Ok(format!("{lib}\n{LIST}{line}}}\n"));
        };
        let end = lib[start..].find("\n}").ok_or("service::operations! does not end")?;
        let (before, after) = lib.split_at(start + end + 1);
        let comma = if before.ends_with(",\n") || before.ends_with("{\n") { "" } else { "," };
        Ok(format!("{}{comma}\n{line}{after}", before.trim_end()))
    }

    fn sample(&self) -> Result<String, String> {
        let Self { path, binary, .. } = self;
        let key = format!("POST {path}");
        let body = json!({ "data": { "organizationId": "acme" } });
        let sample = json!({
            "version": "2.0",
            "routeKey": key,
            "rawPath": path,
            "rawQueryString": "",
            "headers": {
                "content-type": "application/json",
                "x-service-api-key": "{{apiKey}}",
                "x-service-auth-token": "{{authToken}}",
            },
            "requestContext": {
                "accountId": "123456789012",
                "apiId": "api",
                "domainName": "api.example.com",
                "domainPrefix": "api",
                "http": {
                    "method": "POST",
                    "path": path,
                    "protocol": "HTTP/1.1",
                    "sourceIp": "192.0.2.1",
                    "userAgent": "sample",
                },
                "requestId": format!("sample-{binary}"),
                "routeKey": key,
                "stage": "$default",
                "time": "20/Nov/2026:08:00:00 +0000",
                "timeEpoch": 1_795_161_600_000_u64,
            },
            "body": body.to_string(),
            "isBase64Encoded": false,
        });
        serde_json::to_string_pretty(&sample).map(|text| text + "\n").map_err(|e| e.to_string())
    }

    fn test(&self) -> String {
        let Self { name, .. } = self;
        format!(
            "use serde_json::json;

use crate::app::App;

#[tokio::test]
async fn todo_the_rule_that_this_proves() {{
    let app = App::start().await;
    let sent = json!({{ \"organizationId\": \"acme\" }});
    app.call(\"{name}\", sent).await.ok();
}}
"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn every_name_follows_from_family_and_module() {
        let names = Names::new("user-groups", "users_delete", [].into_iter());
        assert_eq!(names.name, "user-groups.users_delete");
        assert_eq!(names.binary, "user-groups-users-delete");
        assert_eq!(names.operation, "DeleteUserGroupsUsers");
        assert_eq!(names.path, "/v2/usergroups/users/delete");
        let known = [("folders.add", "/v2/folders/add"), ("user-groups.add", "/v2/all/groups/add")];
        let beside = Names::new("user-groups", "users_delete", known.into_iter());
        assert_eq!(beside.path, "/v2/all/groups/users/delete");
        assert_eq!(names.tests, "tests/it/user_groups");
        assert!(names.entry().contains("service::main!(user_groups::DeleteUserGroupsUsers);"));
    }

    #[test]
    fn an_operation_goes_to_the_end_of_the_list() {
        let names = Names::new("folders", "archive", [].into_iter());
        let line = "    /// todo: what it does.\n    archive::ArchiveFolders,\n}\n";
        let head = "//! Folders.\n\nservice::operations! {\n";
        let first = names.list("//! Folders.\n").unwrap();
        assert_eq!(first, format!("{head}{line}"));
        for comma in ["", ","] {
            let lib = format!("{head}    /// Adds.\n    add::Add{comma}\n}}\n");
            let wanted = format!("{head}    /// Adds.\n    add::Add,\n{line}");
            assert_eq!(names.list(&lib).unwrap(), wanted);
        }
        assert_eq!(names.list(head).unwrap_err(), "service::operations! does not end");
    }
}
