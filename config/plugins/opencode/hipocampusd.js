// Copy this file to .opencode/plugins/. It adds to the system prompt what the program remembers about the last message, and gives
// the program a session that is about to be compacted or that waits for the person. Whatever fails is silence.
import { spawn } from "node:child_process";

const run = (args, input, ms) =>
  new Promise((done) => {
    const child = spawn("hipocampusd", args, { stdio: ["pipe", "pipe", "ignore"], timeout: ms });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (said += text));
    child.stdin.on("error", () => {});
    child.on("error", () => done(""));
    child.on("close", (code) => done(code === 0 ? said : ""));
    child.stdin.end(input);
  });

export const Hipocampusd = async ({ directory, client }) => {
  const remembered = new Map();
  // What was captured before is not captured again.
  const capture = async (id) => {
    try {
      const info = await client.session.get({ path: { id } });
      const messages = await client.session.messages({ path: { id } });
      await run(["capture", "--stdin", directory], JSON.stringify({ info: info.data, messages: messages.data }), 15000);
    } catch {}
  };
  return {
    "chat.message": async (input, output) => {
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n");
      const found = await run(["recall", "--brief", "--prompt", "--dir", directory], JSON.stringify({ prompt }), 5000);
      remembered.set(input.sessionID, found.trim());
    },
    "experimental.chat.system.transform": async (input, output) => {
      const found = remembered.get(input.sessionID);
      if (found) output.system.push(found);
    },
    "experimental.session.compacting": async (input) => capture(input.sessionID),
    event: async ({ event }) => {
      if (event.type === "session.idle") await capture(event.properties.sessionID);
    },
  };
};
