/** The language server: documents and requests of the protocol over the pure functions of `editor`. */
import type * as Protocol from "vscode-languageserver/node";
import type * as Documents from "vscode-languageserver-textdocument";
import { completeAt } from "../../editor/completion.ts";
import { type EditorDocument, maxDocumentLength } from "../../editor/document.ts";
import { formatDocument } from "../../editor/formatting.ts";
import { hoverAt } from "../../editor/hover.ts";
import { idAt, placesOf, rejectRename, type WrittenId } from "../../editor/ids.ts";
import { escapeLines } from "../output/escape-control-characters.ts";
import { version } from "../version.ts";
import { type AnalysisMessage, createAnalyzer } from "./analysis/analyzer.ts";
import {
  findingsOf,
  moveFindings,
  nameOf,
  type OpenDocument,
  openDocument,
  placeFindings,
} from "./documents.ts";
import { codeActionOf, completionItem, diagnosticOf, hoverOf, rangeOf, textEdit } from "./protocol.ts";
import { dependsOn, type FindPlace, pathOf, watchedPattern, workspaceOf } from "./workspace.ts";

/** The optional packages. */
export interface Packages {
  readonly protocol: typeof Protocol;
  readonly documents: typeof Documents;
}

/** Time after a change until the expressions are checked, in milliseconds. `chosen` */
const checkDelayMs = 40;

/** Time after a change until the whole text is analyzed, in milliseconds. `chosen` */
const analyzeDelayMs = 250;

/** How a session ended: as the protocol says, without its `shutdown`, or without its `initialize`. */
export type SessionEnd = "shut down" | "lost" | "never begun";

/** Resolves when the editor ends the server, or the connection is closed. */
export function serveEditor(
  connection: Protocol.ProtocolConnection,
  { protocol, documents: { TextDocument } }: Packages,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const open = new Map<string, OpenDocument>();
  const timers = new Map<string, { readonly check: NodeJS.Timeout; readonly analyze: NodeJS.Timeout }>();
  const analyzer = createAnalyzer(onAnalyzed);
  let end: SessionEnd = "never begun";
  /** Why files beside a document were not used, by document. */
  const unread = new Map<string, string>();
  let placeOf: FindPlace = () => undefined;
  let canWatch = false;

  const others = (uri: string): readonly EditorDocument[] =>
    [...open].flatMap(([other, document]) => (other === uri ? [] : [document.read()]));
  const everything = (): readonly EditorDocument[] => [...open.values()].map((document) => document.read());

  function clearTimers(uri: string): void {
    const pending = timers.get(uri);
    clearTimeout(pending?.check);
    clearTimeout(pending?.analyze);
    timers.delete(uri);
  }

  function schedule(uri: string): void {
    clearTimers(uri);
    timers.set(uri, {
      check: setTimeout(() => publish(uri), checkDelayMs),
      analyze: setTimeout(() => analyze(uri), analyzeDelayMs),
    });
  }

  function publish(uri: string): void {
    const document = open.get(uri);
    if (!document) return;
    const { text } = document;
    const diagnostics = findingsOf(document).map((diagnostic) => diagnosticOf(text, diagnostic));
    void connection.sendNotification(protocol.PublishDiagnosticsNotification.type, {
      uri,
      version: text.version,
      diagnostics,
    });
  }

  function analyze(uri: string): void {
    const document = open.get(uri);
    const kind = document?.read().kind;
    if (!document || kind === undefined) {
      if (document) document.analyzed = [];
      return;
    }
    const { text } = document;
    const place = placeOf(uri);
    const files = place ? { place, open: openFiles() } : {};
    analyzer.analyze({ uri, version: text.version, name: nameOf(text), text: textOf(text), kind, ...files });
  }

  const textOf = (text: Documents.TextDocument) => text.getText().replace(/^\ufeff/, "");

  /** The open documents of the workspace; huge ones are read from the disk. */
  function openFiles(): readonly (readonly [path: string, text: string])[] {
    return [...open.values()].flatMap(({ text }) => {
      const place = placeOf(text.uri);
      const whole = place ? textOf(text) : "";
      return place && whole.length <= maxDocumentLength.terraform ? [[place.path, whole] as const] : [];
    });
  }

  /** Analyzes the documents again whose findings a changed file can change. */
  function analyzeDependents(uri: string): void {
    const path = pathOf(uri);
    for (const [other, { inputs }] of open)
      if (path !== undefined && other !== uri && dependsOn(inputs, path)) schedule(other);
  }

  function onAnalyzed(message: AnalysisMessage): void {
    const document = open.get(message.uri);
    if (document?.text.version !== message.version) return;
    if ("failure" in message) log(`The analysis of ${message.uri} is missing: ${message.failure}.`);
    else {
      document.analyzed = placeFindings(document.read(), message.findings);
      document.accepted = placeFindings(document.read(), message.accepted);
      document.inputs = new Set(message.inputs);
      showOnce(message.uri, message.unread);
    }
    publish(message.uri);
  }

  /** Shows why files beside a document are not used, once until the reason is another one. */
  function showOnce(uri: string, reason: string | undefined): void {
    const isShown = [...unread.values()].includes(reason ?? "");
    if (reason === undefined) unread.delete(uri);
    else unread.set(uri, reason);
    if (reason === undefined || isShown) return;
    const message = `edgeproof: ${escapeLines(reason)}`;
    void connection.sendNotification(protocol.ShowMessageNotification.type, { type: 1, message });
  }

  function log(message: string): void {
    void connection.sendNotification(protocol.LogMessageNotification.type, { type: 2, message });
  }

  /** The answer about a position of an open document, or nothing. */
  function at<T>(
    { textDocument, position }: Protocol.TextDocumentPositionParams,
    answer: (document: EditorDocument, offset: number, text: Documents.TextDocument) => T,
  ): T | null {
    const document = open.get(textDocument.uri);
    if (!document) return null;
    return answer(document.read(), document.text.offsetAt(position), document.text);
  }

  function locationsOf(ids: readonly Pick<WrittenId, "document" | "start" | "end">[]): Protocol.Location[] {
    return ids.flatMap(({ document, start, end }) => {
      const found = [...open.values()].find((other) => other.read() === document);
      return found ? [{ uri: found.text.uri, range: rangeOf(found.text, { start, end }) }] : [];
    });
  }

  connection.onRequest(protocol.InitializeRequest.type, (params): Protocol.InitializeResult => {
    analyzer.prepare();
    end = "lost";
    placeOf = workspaceOf(params);
    canWatch = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      serverInfo: { name: "edgeproof", version },
      capabilities: {
        positionEncoding: protocol.PositionEncodingKind.UTF16,
        textDocumentSync: {
          openClose: true,
          change: protocol.TextDocumentSyncKind.Incremental,
          save: true,
        },
        completionProvider: { triggerCharacters: ['"', ".", "(", " "] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
        codeActionProvider: { codeActionKinds: [protocol.CodeActionKind.QuickFix] },
      },
    };
  });

  connection.onNotification(protocol.InitializedNotification.type, () => {
    if (!canWatch) return;
    const { method } = protocol.DidChangeWatchedFilesNotification;
    const registerOptions = { watchers: [{ globPattern: watchedPattern }] };
    const registrations = [{ id: "files", method, registerOptions }];
    connection.sendRequest(protocol.RegistrationRequest.type, { registrations }).catch((error: Error) => {
      log(`The editor reports no changed files: ${error.message}`);
    });
  });

  connection.onNotification(protocol.DidChangeWatchedFilesNotification.type, ({ changes }) => {
    for (const { uri } of changes) analyzeDependents(uri);
  });

  connection.onNotification(protocol.DidSaveTextDocumentNotification.type, ({ textDocument: { uri } }) => {
    if (open.has(uri)) schedule(uri);
    analyzeDependents(uri);
  });

  connection.onNotification(protocol.DidOpenTextDocumentNotification.type, ({ textDocument }) => {
    const { uri, languageId, version: number, text } = textDocument;
    open.set(uri, openDocument(TextDocument.create(uri, languageId, number, text)));
    schedule(uri);
  });

  connection.onNotification(
    protocol.DidChangeTextDocumentNotification.type,
    ({ textDocument, contentChanges }) => {
      const document = open.get(textDocument.uri);
      if (!document) return;
      const before = document.text.getText();
      TextDocument.update(document.text, contentChanges, textDocument.version);
      document.analyzed = moveFindings(document.analyzed, before, document.text.getText());
      document.accepted = moveFindings(document.accepted, before, document.text.getText());
      analyzer.cancel(textDocument.uri);
      schedule(textDocument.uri);
    },
  );

  connection.onNotification(protocol.DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
    open.delete(uri);
    unread.delete(uri);
    clearTimers(uri);
    analyzer.cancel(uri);
    void connection.sendNotification(protocol.PublishDiagnosticsNotification.type, { uri, diagnostics: [] });
  });

  connection.onRequest(protocol.CompletionRequest.type, (params) =>
    at(params, (document, offset, text) =>
      completeAt(document, offset, others(text.uri)).map((offer) => completionItem(text, offer)),
    ),
  );

  connection.onRequest(protocol.HoverRequest.type, (params) =>
    at(params, (document, offset, text) => {
      const hover = hoverAt(document, offset, everything());
      return hover ? hoverOf(text, hover) : null;
    }),
  );

  connection.onRequest(protocol.DefinitionRequest.type, (params) =>
    at(params, (document, offset) => {
      const id = idAt(document, offset, everything());
      return id ? locationsOf(placesOf(id, everything()).filter(({ isDefinition }) => isDefinition)) : null;
    }),
  );

  connection.onRequest(protocol.ReferencesRequest.type, (params) =>
    at(params, (document, offset) => {
      const id = idAt(document, offset, everything());
      const places = id ? placesOf(id, everything()) : [];
      return locationsOf(
        places.filter((occurrence) => params.context.includeDeclaration || !occurrence.isDefinition),
      );
    }),
  );

  connection.onRequest(protocol.PrepareRenameRequest.type, (params) =>
    at(params, (document, offset, text) => {
      const id = idAt(document, offset, everything());
      return id && id.definitions.length > 0 ? { range: rangeOf(text, id), placeholder: id.id } : null;
    }),
  );

  connection.onRequest(protocol.RenameRequest.type, (params) =>
    at(params, (document, offset) => {
      const id = idAt(document, offset, everything());
      const reason = id ? rejectRename(id, params.newName, everything()) : "There is no id here.";
      if (!id || reason !== undefined)
        return new protocol.ResponseError(protocol.ErrorCodes.InvalidParams, reason ?? "");
      const changes: Record<string, Protocol.TextEdit[]> = {};
      for (const { uri, range } of locationsOf(placesOf(id, everything())))
        changes[uri] = [...(changes[uri] ?? []), { range, newText: params.newName }];
      return { changes };
    }),
  );

  const format = (uri: string, range?: Protocol.Range) => {
    const document = open.get(uri);
    if (!document) return null;
    const { text } = document;
    const part = range && { start: text.offsetAt(range.start), end: text.offsetAt(range.end) };
    return formatDocument(document.read(), part).map((edit) => textEdit(text, edit));
  };
  connection.onRequest(protocol.DocumentFormattingRequest.type, ({ textDocument }) =>
    format(textDocument.uri),
  );
  connection.onRequest(protocol.DocumentRangeFormattingRequest.type, ({ textDocument, range }) =>
    format(textDocument.uri, range),
  );

  connection.onRequest(protocol.CodeActionRequest.type, ({ textDocument, range }) => {
    const document = open.get(textDocument.uri);
    if (!document) return null;
    const { text } = document;
    const [start, end] = [text.offsetAt(range.start), text.offsetAt(range.end)];
    return findingsOf(document)
      .filter((diagnostic) => diagnostic.start <= end && start <= diagnostic.end)
      .flatMap((diagnostic) => diagnostic.fixes.map((fix) => codeActionOf(text, diagnostic, fix)));
  });

  connection.onRequest(protocol.ShutdownRequest.type, () => {
    end = "shut down";
  });

  return new Promise((resolve) => {
    const close = () => {
      for (const uri of timers.keys()) clearTimers(uri);
      open.clear();
      void analyzer.close().then(() => resolve(end));
    };
    connection.onNotification(protocol.ExitNotification.type, close);
    connection.onClose(close);
    signal.addEventListener("abort", close, { once: true });
    connection.listen();
  });
}
