//! `hipocampusd mcp`: the memory for clients of the Model Context Protocol, on standard input and output.
//!
//! Standard output belongs to the protocol; what else is to be said goes to standard error. Every call looks at the disk
//! afresh, as the commands do, and answers in their words: nothing is kept between two.

mod lines;
mod tools;

use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};

use super::show;
use super::target::{Target, TargetArgs};
use super::{VERSION, print};
use crate::daemon::child;
use crate::memory::calendar::Day;
use crate::memory::level::Period;
use lines::Lines;

const AFTER: &str = "\
Examples:
  claude mcp add memory -- hipocampusd mcp ~/agents/work
  codex mcp add memory -- hipocampusd mcp ~/agents/work

Or in a client's own configuration:
  {\"mcpServers\": {\"memory\": {\"command\": \"hipocampusd\", \"args\": [\"mcp\", \"/home/me/agents/work\"]}}}

Tools: recall, show, topics, session_start, checkpoint, status; they say what the commands of these names say. Resources: \
memory://root, which is ROOT.md, and memory://PERIOD. With several workspaces each call names one, and resources are \
memory://WORKSPACE/PERIOD. It ends when the client does.";
const SCHEME: &str = "memory://";
const MARKDOWN: &str = "text/markdown";
/// The methods that are known here: one that is called with parameters of another shape gets to [`ServerHandler::on_custom_request`].
const METHODS: [&str; 7] = [
    "initialize",
    "ping",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "tools/call",
    "tools/list",
];
const INSTRUCTIONS: &str = "\
What earlier conversations with this person have left. When a conversation begins, call `session_start`, then `show` with the period \
ROOT (or read memory://root): one page with the person's rules, what is going on, and every subject. `recall` looks something up, \
`checkpoint` writes down what will matter tomorrow.";

/// The arguments of `mcp`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct McpArgs {
    /// The workspaces [default: the one around the current folder, else those of your configuration]
    #[arg(value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Read your own configuration from FILE
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Act as at the end of DATE, such as 2026-03-31
    #[arg(long, value_name = "DATE")]
    today: Option<Day>,
}

struct Place {
    /// What calls name it by: its folder's name, or its path where two folders have that name.
    name: String,
    arguments: TargetArgs,
}

impl Place {
    fn find(&self) -> Result<Target> {
        Target::find(&self.arguments, false)
    }
}

impl McpArgs {
    /// The workspaces to serve. What is wrong with one is said at once, and not at the first call.
    fn places(&self) -> Result<Vec<Place>> {
        let place = |dir: Option<PathBuf>| TargetArgs {
            dir,
            config: self.config.clone(),
            today: self.today,
            ..TargetArgs::default()
        };
        let mut places: Vec<Place> = Vec::new();
        let mut add = |arguments: TargetArgs, target: &Target| {
            let path = target.workspace.path();
            let name = path.file_name().unwrap_or(path.as_os_str());
            let mut name = name.to_string_lossy().into_owned();
            if places.iter().any(|known| known.name == name) {
                name = path.display().to_string();
            }
            places.push(Place { name, arguments });
        };
        if let (true, Some(all)) = (self.folders.is_empty(), Target::many(&place(None))?) {
            for (folder, target) in all {
                match target {
                    Ok(target) => add(place(Some(folder)), &target),
                    Err(error) => print::note(&format!("{} is not served: {error:#}", folder.display())),
                }
            }
            if places.is_empty() {
                bail!("no workspace of your configuration can be served");
            }
            return Ok(places);
        }
        let folders = self.folders.iter().cloned().map(Some);
        let around = self.folders.is_empty().then_some(None);
        for folder in folders.chain(around) {
            let arguments = place(folder);
            let target = Target::find(&arguments, false)?;
            add(arguments, &target);
        }
        Ok(places)
    }
}

pub fn run(arguments: &McpArgs) -> Result<u8> {
    let places = arguments.places()?;
    let runtime = child::runtime().context("cannot serve")?;
    let served = runtime.block_on(serve(Server { places }));
    // A read of standard input that nobody will answer any more would be waited for.
    runtime.shutdown_background();
    served
}

async fn serve(server: Server) -> Result<u8> {
    let service = match server.serve(Lines::new()).await {
        Ok(service) => service,
        // A client that leaves before it has said anything has changed its mind.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(0),
        Err(error) => return Err(error).context("the client does not speak the Model Context Protocol"),
    };
    service.waiting().await.context("cannot go on serving")?;
    Ok(0)
}

struct Server {
    places: Vec<Place>,
}

impl Server {
    fn base(&self, place: &Place) -> String {
        match self.places.as_slice() {
            [_] => SCHEME.to_owned(),
            _ => format!("{SCHEME}{}/", encoded(&place.name)),
        }
    }

    fn read(&self, uri: &str) -> Result<String> {
        let unknown = || {
            anyhow!(
                "there is no resource {uri:?}, only {}root and the like",
                self.base(&self.places[0])
            )
        };
        let (place, period) = self
            .places
            .iter()
            .find_map(|place| Some((place, uri.strip_prefix(&self.base(place))?)))
            .ok_or_else(unknown)?;
        if !period.eq_ignore_ascii_case("root") && Period::parse(period).is_none() {
            return Err(unknown());
        }
        Ok(show::show(&place.find()?, period, false)?.text)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("hipocampusd", VERSION);
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list(&self.places)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(answer) = tools::call(&self.places, &request.name, request.arguments.unwrap_or_default())
        else {
            let what = format!("there is no tool {:?}", request.name);
            return Err(ErrorData::invalid_params(what, None));
        };
        // What could not be done is for the agent to read, and no fault of the protocol.
        let result = match answer {
            Ok(answer) => {
                let text = ContentBlock::text(print::shown(&answer.text));
                let mut result = CallToolResult::success(vec![text]);
                result.structured_content = Some(answer.value);
                result
            }
            Err(error) => CallToolResult::error(vec![ContentBlock::text(said(&error))]),
        };
        Ok(result.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        Err(if METHODS.contains(&method.as_str()) {
            ErrorData::invalid_params(format!("the parameters of {method} are of the wrong type"), None)
        } else {
            ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("there is no method {method:?}"),
                None,
            )
        })
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let roots = self.places.iter().map(|place| {
            Resource::new(format!("{}root", self.base(place)), "ROOT.md")
                .with_title(format!("What is remembered: {}", place.name))
                .with_description("One page: the person's rules, what is going on, every subject")
                .with_mime_type(MARKDOWN)
        });
        Ok(ListResourcesResult::with_all_items(roots.collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = self.places.iter().map(|place| {
            ResourceTemplate::new(format!("{}{{period}}", self.base(place)), "period")
                .with_title(format!("A day, week or month: {}", place.name))
                .with_description(
                    "What is remembered of a day (2026-03-15), an ISO week (2026-W11) or a month (2026-03)",
                )
                .with_mime_type(MARKDOWN)
        });
        Ok(ListResourceTemplatesResult::with_all_items(templates.collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match self.read(&request.uri) {
            Ok(text) => {
                let contents = ResourceContents::text(print::shown(&text), request.uri);
                let contents = contents.with_mime_type(MARKDOWN);
                Ok(ReadResourceResult::new(vec![contents]).into())
            }
            Err(error) => Err(ErrorData::resource_not_found(said(&error), None)),
        }
    }
}

/// A name as a part of a URI (RFC 3986).
fn encoded(name: &str) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    let encode = |byte: u8| match is_plain(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    name.bytes().map(encode).collect()
}

fn said(error: &anyhow::Error) -> String {
    print::harmless(&format!("{error:#}"))
}
