/** A client of the language server, over the streams of a real process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  RegistrationRequest,
  ShowMessageNotification,
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
  /** Forgets the findings so far. */
  forget(): void;
  /** The findings of the first notification about a version that a condition accepts. */
  findings(
    uri: string,
    version: number,
    accepts?: (found: readonly Diagnostic[]) => boolean,
  ): Promise<readonly Diagnostic[]>;
  /** Reports changed files as editors do that watch them. */
  changed(...paths: readonly string[]): void;
  /** The messages that were shown to the user. */
  readonly messages: () => readonly string[];
  /** Ends the server as editors do. @returns its exit code */
  end(): Promise<number | null>;
}

/** @param folder that of the workspace */
export async function startEditor(folder?: string): Promise<TestEditor> {
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
  const messages: string[] = [];
  connection.onNotification(ShowMessageNotification.type, ({ message }) => void messages.push(message));
  const watched: string[] = [];
  connection.onRequest(RegistrationRequest.type, ({ registrations }) => {
    watched.push(...registrations.map(({ method }) => method));
  });
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: folder === undefined ? null : pathToFileURL(folder).href,
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
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
    changed: (...paths) => {
      if (!watched.includes(DidChangeWatchedFilesNotification.method)) throw new Error("no file is watched");
      const changes = paths.map((path) => ({ uri: pathToFileURL(path).href, type: 2 as const }));
      void connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes });
    },
    messages: () => messages,
    forget: () => void published.splice(0),
    findings: (uri, version, accepts = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = published.find(
            (published) =>
              published.uri === uri && published.version === version && accepts(published.diagnostics),
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
