/** `edgeproof mcp`: read-only tools for coding agents, by the Model Context Protocol over standard input and output. */
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { loadPeers } from "../../../store/peers.ts";
import { type Io, UsageError } from "../../command.ts";
import type { mcp } from "../../declarations/first-steps/agents.ts";
import type { InvocationOf } from "../../declare.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { version } from "../../version.ts";
import { type LastOutput, runTool } from "./run-tool.ts";
import { tools } from "./tools.ts";
import { insideOf } from "./working-folder.ts";

const instructions =
  "edgeproof evaluates edge configuration (token validation rules, custom rules, proxy applications, domain queries, image variants) without the edge. All tools only read files of the working folder. Call `explain` with `language` before you write an expression: a token rule acts when its expression is false, a custom rule when it is true. An answer whose exit code is not 0 is not a success, also when it has no finding.";

export async function run({ commands, io }: InvocationOf<typeof mcp>): Promise<number> {
  const { McpServer, StdioServerTransport } = await loadSdk();
  const server = new McpServer({ name: "edgeproof", version }, { instructions });
  const checkPath = insideOf(process.cwd());
  const inOrder = queue();
  const last: LastOutput = {};
  for (const [name, { title, description, input, call }] of Object.entries(tools)) {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations },
      async (given, { signal }) => {
        const { from, ...rest } = given as { readonly from?: number };
        const context = { commands, checkPath, signal: AbortSignal.any([io.signal, signal]) };
        const { text, isError } = await inOrder(() => runTool(call(rest), from ?? 1, context, last));
        return { content: [{ type: "text", text }], isError };
      },
    );
  }
  const input = Readable.from(io.stdin);
  const transport = new StdioServerTransport(input, asStream(io));
  reportGarbage(server.server, io);
  await server.connect(transport);
  const stopped = io.signal.aborted ? Promise.resolve() : once(io.signal, "abort");
  // The transport ends by itself at a message that is too long.
  const tooLong = new Promise<"too long">((resume) => {
    server.server.onclose = () => resume("too long");
  });
  const end = await Promise.race([once(input, "end"), once(input, "error"), stopped, tooLong]);
  if (end === "too long") throw new UsageError("standard input has a message of more than 10 MiB");
  // Answers of calls that were received are sent.
  await inOrder(async () => {});
  const isInitialized = server.server.getClientCapabilities() !== undefined;
  await server.close();
  if (!isInitialized && !io.signal.aborted)
    throw new UsageError(
      "standard input ended without the request `initialize` of the Model Context Protocol; an agent starts this command (docs/agents.md)",
    );
  return 0;
}

/** Says once that a line is not a message: an agent that sends one sends many. */
function reportGarbage(server: { onerror?: (error: Error) => void }, { stderr }: Io): void {
  server.onerror = (error) => {
    // The others end the session, or are answered.
    if (!(error instanceof SyntaxError) && !/ZodError$/.test(error.name)) return;
    server.onerror = () => {};
    const reason = error instanceof SyntaxError ? error.message.slice(0, 200) : "it is not JSON-RPC 2.0";
    const shown = escapeControlCharacters(reason);
    stderr.write(`edgeproof mcp: standard input has a line that is not a message: ${shown}\n`);
  };
}

/** @throws {DependencyUnavailableError} when the package is not installed */
async function loadSdk() {
  const load = async () => ({
    ...(await import("@modelcontextprotocol/sdk/server/mcp.js")),
    ...(await import("@modelcontextprotocol/sdk/server/stdio.js")),
  });
  return loadPeers("edgeproof mcp", "@modelcontextprotocol/sdk", load);
}

/** Runs work one after another: engines use a processor, and answers keep their order. */
function queue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

function asStream({ stdout }: Io): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      stdout.write(String(chunk));
      (stdout.drained?.() ?? Promise.resolve()).then(() => done(), done);
    },
  });
}
