//! `hipocampusd mcp`: the memory for clients of the Model Context Protocol, on standard input and output.
//!
//! Standard output belongs to the protocol; what else is to be said goes to standard error. Every call looks at the disk
//! afresh, as the commands do, and answers in their words: nothing is kept between two.

mod lines;
mod tools;

use anyhow::{Context as _, Result};
use clap::Args;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, Implementation, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};

use super::show;
use super::target::{Target, TargetArgs};
use super::{VERSION, print};
use lines::Lines;

const AFTER: &str = "\
Examples:
  claude mcp add memory -- hipocampusd mcp ~/agents/work
  codex mcp add memory -- hipocampusd mcp ~/agents/work

Or in a client's own configuration:
  {\"mcpServers\": {\"memory\": {\"command\": \"hipocampusd\", \"args\": [\"mcp\", \"/home/me/agents/work\"]}}}

Tools: recall, show, checkpoint, status; they say what the commands of these names say. Resource: memory://root, \
which is ROOT.md. It ends when the client does.";
const ROOT_URI: &str = "memory://root";
/// The methods that are known here: one that is called with parameters of another shape gets to [`ServerHandler::on_custom_request`].
const METHODS: [&str; 6] = [
    "initialize",
    "ping",
    "resources/list",
    "resources/read",
    "tools/call",
    "tools/list",
];
/// What a client may tell its model about the server.
const INSTRUCTIONS: &str = "\
The memory of this workspace. Read memory://root first: it names every topic. `recall` finds words, `show` prints a \
day, week or month, `checkpoint` writes down what will matter tomorrow. Nodes are made by a daemon; never write them.";

/// The arguments of `mcp`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct McpArgs {
    #[command(flatten)]
    target: TargetArgs,
}

/// Serves until the client closes standard input.
///
/// # Errors
/// The folder is no workspace; the configuration cannot be used; the client does not speak the protocol.
pub fn run(arguments: McpArgs) -> Result<u8> {
    // What is wrong with the folder is said at once, and not at the first call.
    Target::find(&arguments.target, false)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot serve")?;
    let served = runtime.block_on(serve(Server {
        place: arguments.target,
    }));
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
    place: TargetArgs,
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
        Ok(ListToolsResult::with_all_items(tools::list()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(answer) = tools::call(&self.place, &request.name, request.arguments.unwrap_or_default())
        else {
            let what = format!("there is no tool {:?}", request.name);
            return Err(ErrorData::invalid_params(what, None));
        };
        // What could not be done is for the agent to read, and no fault of the protocol.
        let result = match answer {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(print::shown(&text))]),
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
        let mut root = Resource::new(ROOT_URI, "ROOT.md");
        root.description = Some("The index of everything that is remembered".to_owned());
        root.mime_type = Some("text/markdown".to_owned());
        Ok(ListResourcesResult::with_all_items(vec![root]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != ROOT_URI {
            let what = format!("there is no resource {:?}, only {ROOT_URI}", request.uri);
            return Err(ErrorData::resource_not_found(what, None));
        }
        let root = Target::find(&self.place, false).and_then(|target| show::show(&target, "ROOT", false));
        match root {
            Ok(root) => {
                let contents = ResourceContents::text(print::shown(&root.text), ROOT_URI);
                let contents = contents.with_mime_type("text/markdown");
                Ok(ReadResourceResult::new(vec![contents]).into())
            }
            Err(error) => Err(ErrorData::resource_not_found(said(&error), None)),
        }
    }
}

/// An error in one line, as the commands say it.
fn said(error: &anyhow::Error) -> String {
    print::harmless(&format!("{error:#}"))
}
