/** `edgeproof lsp`: the language server over the streams of the command. */
import { Readable } from "node:stream";
import type * as Protocol from "vscode-languageserver/node";
import { loadPeers } from "../../../store/peers.ts";
import { type Io, UsageError } from "../../command.ts";
import type { lsp } from "../../declarations/lsp.ts";
import type { InvocationOf } from "../../declare.ts";
import { type Packages, serveEditor } from "../../lsp/server.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";

export async function run({ io }: InvocationOf<typeof lsp>): Promise<number> {
  const packages = await loadPackages();
  io.handleSignals?.();
  const { protocol } = packages;
  const input = io.stdin instanceof Readable ? io.stdin : Readable.from(io.stdin, { objectMode: false });
  const reader = new protocol.StreamMessageReader(input);
  const logger: Protocol.Logger = { error: warn, warn, info: () => {}, log: () => {} };
  const connection = protocol.createProtocolConnection(reader, createWriter(packages, io), logger);
  connection.onError(([{ message }]) =>
    warn(
      `standard input has a part that is not a message: ${escapeControlCharacters(message.slice(0, 200))}`,
    ),
  );
  const end = await serveEditor(connection, packages, io.signal);
  connection.dispose();
  input.destroy();
  if (end === "never begun" && !io.signal.aborted)
    throw new UsageError(
      "standard input ended without the request `initialize` of the Language Server Protocol; an editor starts this command (docs/editors.md)",
    );
  return end === "shut down" ? 0 : 1;

  function warn(message: string): void {
    io.stderr.write(`edgeproof lsp: ${message}\n`);
  }
}

/** @throws {DependencyUnavailableError} that names the packages to install */
async function loadPackages(): Promise<Packages> {
  const names = "vscode-languageserver vscode-languageserver-textdocument";
  const [protocol, documents] = await loadPeers("`lsp`", names, () =>
    Promise.all([import("vscode-languageserver/node"), import("vscode-languageserver-textdocument")]),
  );
  return { protocol, documents };
}

/** Messages are ASCII, and keep the marks of workflow commands: escapes of the output would change their length. */
function createWriter({ protocol }: Packages, io: Io): Protocol.MessageWriter {
  const Writer = class extends protocol.AbstractMessageWriter {
    async write(message: Protocol.Message): Promise<void> {
      const body = JSON.stringify(message).replace(/[^ -~]/g, escapeUnit);
      io.stdout.write(`Content-Length: ${body.length}\r\n\r\n${body}`, true);
    }
    end(): void {}
  };
  return new Writer();
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
