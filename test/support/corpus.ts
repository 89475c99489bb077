/**
 * The recorded corpus of the interface, `fixtures/http/corpus.jsonl`: requests, and the answers that they had. Each line
 * is a step: `edge` starts a new simulator with a fixed clock and counted ids, `wait` advances its clock by seconds,
 * `send` is a request and `evaluate` a simulated request to the token rules of a zone.
 */
import { createHash } from "node:crypto";
import type { SimulatedRequest } from "../../src/engine/tokens/model.ts";
import type { AnswerRecord } from "../../src/http/records/answer-record.ts";
import { createTestEdge, type TestEdge, type TestEdgeOptions } from "../../src/testing/create-test-edge.ts";

/** A file of a form, or the value of a field. */
type FormValue = string | { readonly filename: string; readonly type?: string; readonly base64: string };

/** A recorded request: at most one of `json`, `text`, `base64` and `form` is its body. A header `null` is not sent. */
interface Sent {
  readonly send: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly base64?: string;
  readonly form?: readonly (readonly [name: string, value: FormValue])[];
}

/** One line of the corpus, without its answer. */
export type Step =
  | Sent
  | { readonly edge: TestEdgeOptions }
  | { readonly wait: number }
  | { readonly evaluate: string; readonly request: SimulatedRequest };

/** Bodies that are longer, in bytes, are recorded as their digest. */
const maxRecorded = { success: 120, failure: 450 };

/** Plays steps in order. `onAnswer` receives the metadata of every answer. */
export function createPlayer(onAnswer: (answer: AnswerRecord) => void = () => {}) {
  let edge: TestEdge;
  return async (step: Step): Promise<object | undefined> => {
    if ("edge" in step) edge = createTestEdge({ ...step.edge, fetchImage, onAnswer });
    else if ("wait" in step) edge.clock.advance(step.wait * 1_000);
    else if ("send" in step) return answerTo(edge, step);
    else return verdictOf(edge, step.evaluate, step.request);
    return undefined;
  };
}

/** Uploads by `url` receive this picture, except from hosts that fail. */
function fetchImage(url: string): Uint8Array {
  if (new URL(url).hostname.startsWith("fails")) throw new Error("the server answered 404");
  return Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="8" height="6"/></svg>',
  );
}

async function answerTo(edge: TestEdge, sent: Sent): Promise<object> {
  const response = await edge.fetch(requestOf(sent));
  const bytes = withoutLine(Buffer.from(await response.arrayBuffer()));
  // A lookback runs after its answer; the next request must find its end.
  await edge.settled();
  return { status: response.status, headers: headersOf(response), ...shownBody(bytes, response.ok) };
}

/** Newer versions of node add line and column to the position of a JSON error, which is part of the message. */
function withoutLine(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replace(/ \(line \d+ column \d+\)/, ""), "latin1");
}

/** All headers; `content-type` only where it is not that of nearly all answers, and ids without their zeros. */
function headersOf({ headers }: Response): object {
  const { "content-type": type, ...others } = Object.fromEntries(
    [...headers].map(([name, value]) => [name, value.replace(/^0+\B/, "")]),
  );
  return type === "application/json" ? others : { type, ...others };
}

async function verdictOf(edge: TestEdge, zone: string, request: SimulatedRequest): Promise<object> {
  try {
    const verdict = await edge.tokens.evaluate(zone, request);
    const { action, outcome } = verdict;
    return { action, outcome, ...shownBody(Buffer.from(JSON.stringify(verdict)), true) };
  } catch (error) {
    return { error: String(error) };
  }
}

function requestOf({ send, headers = {}, ...sent }: Sent): Request {
  const [method = "", path = ""] = send.split(" ");
  const sentHeaders = new Headers({ authorization: "Bearer t" });
  if ("json" in sent) sentHeaders.set("content-type", "application/json");
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) sentHeaders.delete(name);
    else sentHeaders.set(name, value);
  }
  const body = bodyOf(sent);
  return new Request(`https://edge.test${path}`, {
    method,
    headers: sentHeaders,
    ...(body !== undefined && { body }),
  });
}

function bodyOf({ json, text, base64, form }: Omit<Sent, "send" | "headers">): RequestInit["body"] {
  if (form) return formOf(form);
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  return text ?? JSON.stringify(json);
}

function formOf(parts: NonNullable<Sent["form"]>): FormData {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, fileOf(value.base64, value.type), value.filename);
  }
  return form;
}

function fileOf(base64: string, type = ""): Blob {
  return new Blob([Buffer.from(base64, "base64")], { type });
}

/** JSON as such where that loses no byte of it, other text as text, and what is long as size and digest. */
function shownBody(bytes: Buffer, isSuccess: boolean): object {
  const text = bytes.toString("utf8");
  if (bytes.length <= maxRecorded[isSuccess ? "success" : "failure"]) return jsonBody(text) ?? { text };
  return { bytes: bytes.length, sha1: createHash("sha1").update(bytes).digest("base64url") };
}

function jsonBody(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return JSON.stringify(body) === text ? { body } : undefined;
  } catch {
    return undefined;
  }
}
