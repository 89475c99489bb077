/**
 * The language server on a zone of 300 rules, in JSON and YAML: processor time of each request right after a change of the
 * text, which is read again, against the limit of 50 ms; and of the analysis of the whole zone, against 500 ms, also of one
 * whose rules are all undecided.
 */
import { stringify } from "yaml";
import { analyzeBuffer } from "../src/cli/lsp/analysis/analyze-buffer.ts";
import { completeAt } from "../src/editor/completion.ts";
import { type EditorDocument, readDocument } from "../src/editor/document.ts";
import { expressionFindings } from "../src/editor/findings.ts";
import { formatDocument } from "../src/editor/formatting.ts";
import { hoverAt } from "../src/editor/hover.ts";
import { idAt, placesOf } from "../src/editor/ids.ts";
import { processorMs, type Row, type Rows, sink } from "./harness.ts";

const count = 300;
const uuid = (kind: number, i: number) => `${kind}0000000-0000-4000-8000-${String(i).padStart(12, "0")}`;

const key = {
  kty: "EC",
  crv: "P-256",
  alg: "ES256",
  x: "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
  y: "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
};

/** Conditions of five kinds, of ten configurations. */
function expressionOf(i: number): string {
  const valid = `is_jwt_valid("${uuid(1, i % 10)}")`;
  const conditions = [
    valid,
    `not http.request.uri.path wildcard "/v${i}/*" or ${valid}`,
    `http.request.method in {"GET" "HEAD"} or ${valid}`,
    `starts_with(http.request.uri.path, "/public/${i}/") or ${valid}`,
    `not is_jwt_present("${uuid(1, (i + 1) % 10)}") or ${valid}`,
  ];
  return conditions[i % conditions.length] ?? valid;
}

/** Paths whose sets of strings are too large together: every question about them is undecided. */
const undecidedExpressionOf = (i: number) =>
  `http.request.uri.path contains "${i.toString(36).padStart(3, "q")}" or is_jwt_valid("${uuid(1, i % 10)}")`;

/** A zone of a world file; without hosts of their own, all operations and rules are those of one. */
function worldOf(expression = expressionOf, hostOf = (i: number) => `h${i % 60}.example.com`) {
  const list = <T>(length: number, create: (i: number) => T) => Array.from({ length }, (_, i) => create(i));
  const token_sources = ['http.request.headers["authorization"][0]'];
  const configs = list(10, (i) => ({
    id: uuid(1, i),
    title: `Issuer ${i}`,
    token_sources,
    credentials: { keys: [{ ...key, kid: `k${i}` }] },
  }));
  const rules = list(count, (i) => ({
    id: uuid(2, i),
    title: `Rule ${i}`,
    action: "block",
    enabled: true,
    expression: expression(i),
    selector: { include: [{ host: [hostOf(i)] }] },
  }));
  const operations = list(count, (i) => {
    return { operation_id: uuid(3, i), method: "GET", host: hostOf(i), endpoint: `/v${i}/{id}` };
  });
  return { zones: [{ id: "z1", name: "example.com", token_validation: { configs, rules, operations } }] };
}

/** Requests at an offset of a document. */
const requests: Readonly<Record<string, (document: EditorDocument, offset: number) => unknown>> = {
  "findings of expressions": expressionFindings,
  completion: completeAt,
  hover: hoverAt,
  "definition and references": (document, offset) => {
    const id = idAt(document, offset);
    return id && placesOf(id, [document]);
  },
  formatting: (document) => formatDocument(document),
};

const requestMs = 50;
const analysisMs = 500;
const rounds = 31;

/** The median processor time of a call in milliseconds; the first calls are not counted. */
async function medianOf(run: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds + 5; round++) {
    const start = processorMs();
    sink.value = await run(round);
    if (round >= 5) times.push(processorMs() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

function rowOf(what: string, ms: number, limitMs: number): Row {
  return { what, ours: ms * 1e6, peer: limitMs * 1e6, ratio: ms / limitMs, target: { atMost: 1 } };
}

export async function* benchLanguageServer(): Rows {
  const texts = { json: JSON.stringify(worldOf(), null, 2), yaml: stringify(worldOf()) };
  for (const [format, text] of Object.entries(texts)) {
    const name = `world.${format}`;
    const offset = text.indexOf(uuid(1, 0), text.indexOf("is_jwt_valid", text.length / 3)) + 2;
    for (const [request, run] of Object.entries(requests)) {
      // Each round has another text: an expression is changed before the request.
      const ms = await medianOf((round) =>
        run(readDocument(name, text.replace("/v121/*", `/v121/${round}/*`)), offset),
      );
      yield rowOf(`${request}, ${count} rules in ${format}; the peer is the limit`, ms, requestMs);
    }
    const job = { uri: "", version: 1, name, text, kind: "world" } as const;
    const ms = await medianOf(() => analyzeBuffer(job));
    yield rowOf(`analysis of ${count} rules in ${format}; the peer is the limit`, ms, analysisMs);
  }
  const text = JSON.stringify(
    worldOf(undecidedExpressionOf, () => "h.example.com"),
    null,
    2,
  );
  const job = { uri: "", version: 1, name: "world.json", text, kind: "world" } as const;
  const ms = await medianOf(() => analyzeBuffer(job));
  yield rowOf(`analysis of ${count} undecided rules of one host; the peer is the limit`, ms, analysisMs);
}
