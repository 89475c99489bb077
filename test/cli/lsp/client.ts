/** A client of the language server, over the streams of a real process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import {
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A started server, and the editor that it is for. */
export interface TestEditor {
  readonly connection: ProtocolConnection;
  readonly child: ChildProcess;
  /** The text on standard error. */
  readonly errors: () => string;
  open(uri: string, text: string, languageId?: string): void;
  /** Replaces the whole text. */
  change(uri: string, version: number, text: string): void;
  /** The findings of the first notification about a version that a condition accepts. */
  findings(
    uri: string,
    version: number,
    accepts?: (found: readonly Diagnostic[]) => boolean,
  ): Promise<readonly Diagnostic[]>;
  /** Ends the server as editors do. @returns its exit code */
  end(): Promise<number | null>;
}

export async function startEditor(): Promise<TestEditor> {
  const main = ["--import", "tsx", "src/cli/main.ts", "lsp", "--stdio"];
  const child = spawn(process.execPath, main, { cwd: root, stdio: "pipe" });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const published: PublishDiagnosticsParams[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    for (const look of waiting) look();
  });
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
  });
  await connection.sendNotification(InitializedNotification.type, {});
  return {
    connection,
    child,
    errors: () => errors,
    open: (uri, text, languageId = "json") => {
      const textDocument = { uri, languageId, version: 1, text };
      void connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    },
    change: (uri, version, text) => {
      const textDocument = { uri, version };
      void connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument,
        contentChanges: [{ text }],
      });
    },
    findings: (uri, version, accepts = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = published.find(
            (one) => one.uri === uri && one.version === version && accepts(one.diagnostics),
          );
          if (!found) return;
          waiting.delete(look);
          resolve(found.diagnostics);
        };
        waiting.add(look);
        look();
      }),
    end: async () => {
      const ended = once(child, "exit");
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      const [code] = (await ended) as [number | null];
      connection.dispose();
      return code;
    },
  };
}
