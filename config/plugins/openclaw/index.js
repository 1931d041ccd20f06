// Hands ROOT to each session and asks the program before each prompt; gives it what a reset or a compaction is about to take away.
// The program is never in the way: whatever fails is silence.
import { spawn } from "node:child_process";
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

const run = (program, args, input, ms) =>
  new Promise((done) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], timeout: ms });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (said += text));
    child.stdin.on("error", () => {});
    child.on("error", () => done(""));
    child.on("close", (code) => done(code === 0 ? said : ""));
    child.stdin.end(input);
  });

// Sub-agents, scheduled runs, groups and channels get as little of the memory as they get of MEMORY.md.
const isShared = (key) => /(^|:)(subagent|cron|group|channel):|@g\.us$|:guild-/i.test(key ?? "");

export default definePluginEntry({
  id: "hipocampusd",
  name: "hipocampusd",
  description: "The hipocampusd memory of the agent's workspace: its index in each session, and recall before each prompt.",
  register(api) {
    const program = api.pluginConfig?.program ?? "hipocampusd";
    const max = api.pluginConfig?.maxChars ?? 2000;
    // Not every event says where its session works: the last prompt of the session did.
    const folders = new Map();
    const folderOf = (ctx) => ctx?.workspaceDir ?? folders.get(ctx?.sessionKey) ?? api.pluginConfig?.workspace;

    api.on("before_prompt_build", async (event, ctx) => {
      const prompt = event.currentUserMessage ?? event.prompt ?? "";
      if (ctx.workspaceDir && ctx.sessionKey) folders.set(ctx.sessionKey, ctx.workspaceDir);
      const folder = folderOf(ctx);
      if (!folder || isShared(ctx.sessionKey)) return;
      const [root, found] = await Promise.all([
        run(program, ["show", "ROOT", folder], "", 5000),
        typeof prompt === "string" && prompt.trim()
          ? run(program, ["recall", "--brief", "--prompt", "--dir", folder], JSON.stringify({ prompt }), 5000)
          : "",
      ]);
      return {
        ...(root.trim() && { appendSystemContext: root }),
        ...(found.trim() && { prependContext: found.slice(0, max) }),
      };
    }, { timeoutMs: 8000 });

    const capture = async (event, ctx) => {
      const folder = folderOf(ctx);
      if (!folder || !event.messages?.length) return;
      const lines = event.messages.map((message) => {
        const timestamp = message.timestamp ? new Date(message.timestamp).toISOString() : undefined;
        return JSON.stringify({ type: "message", timestamp, message });
      });
      await run(program, ["capture", "--stdin", folder], `${lines.join("\n")}\n`, 15000);
    };
    api.on("before_compaction", capture);
    api.on("before_reset", async (event, ctx) => {
      await capture(event, ctx);
      folders.delete(ctx?.sessionKey);
    });
  },
});
