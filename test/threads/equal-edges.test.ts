/** Law: an edge with threads answers the same requests with the same bytes as one without, and the pool is in use. */
import { expect, test } from "vitest";
import { createTestEdge, type TestEdge } from "../../src/testing/create-test-edge.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";

const wing = drawPng(drawings["wing"]!, { side: 48 });
const stairs = drawPng(drawings["stairs"]!, { side: 64 });
const world = {
  accounts: [
    {
      id: "a2",
      name: "second",
      brand: {
        logo_queries: [{ tag: "w", similarity_threshold: 0.6, image: base64(wing) }],
        scans: [{ domain: "w.example", image: base64(wing), matched_at: "2026-01-01T00:00:00Z" }],
      },
    },
    { id: "a1", name: "first" },
  ],
};
const base = "/accounts/a1/intel/v2/brand-protection/logo";

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function edgeOf(threads: number): TestEdge {
  const limits = { lookbackAtOnce: 2, lookbackPiece: 3, logoBytes: 60_000 };
  return createTestEdge({ ingest: true, world, limits, threads });
}

function pictures(...files: readonly Uint8Array[]): FormData {
  const form = new FormData();
  for (const [i, file] of files.entries()) {
    form.append("facts", JSON.stringify({ domain: `d${i}.example`, matched_at: "2026-01-01T00:00:00Z" }));
    form.append("picture", new Blob([Buffer.from(file)]), "a.png");
  }
  return form;
}

/** Method, path and body of the requests, in their order. */
type Step = readonly [method: string, path: string, body?: () => FormData | string];

const logo = (tag: string, image: Uint8Array, more = {}) =>
  JSON.stringify({ tag, similarity_threshold: 0.5, image_data: base64(image), ...more });

function steps(): readonly Step[] {
  const damaged = wing.subarray(0, wing.length - 20);
  const observations = "/accounts/a1/edgeproof/observations/pictures";
  return [
    ["POST", `${base}/queries`, () => logo("first", wing)],
    ["POST", observations, () => pictures(wing, stairs, damaged)],
    ["POST", `${base}/queries`, () => logo("at once", stairs)],
    ["POST", observations, () => pictures(stairs, wing, stairs, wing, wing)],
    ["POST", `${base}/queries`, () => logo("later", stairs, { similarity_threshold: 0.7 })],
    ["POST", `${base}/queries`, () => logo("damaged", damaged)],
    ["POST", `${base}/queries`, () => logo("large", new Uint8Array(60_001).fill(1))],
  ];
}

async function answersOf(edge: TestEdge): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  const send = async ([method, path, body]: Step) => {
    const isJson = typeof body?.() === "string";
    const headers = { authorization: "Bearer t", ...(isJson && { "content-type": "application/json" }) };
    const request = new Request(`https://edge.test/client/v4${path}`, {
      method,
      headers,
      ...(body && { body: body() }),
    });
    const response = await edge.fetch(request);
    answers.push([path, response.status, [...response.headers], await response.text()]);
  };
  for (const step of steps()) await send(step);
  await edge.settled();
  const lists = [`${base}/queries?download=true`, `${base}/matches?query_id=2&download=true`];
  for (const path of [...lists, `${base.replace("a1", "a2")}/matches?query_id=1`]) await send(["GET", path]);
  return answers;
}

/** One for all tests: a thread takes a second to prepare. */
const threaded = edgeOf(1);
const plain = edgeOf(0);

test("the same requests have the same answers with threads and without", async () => {
  const [expected, found] = [await answersOf(plain), await answersOf(threaded)];
  expect(found).toEqual(expected);
  const statuses = expected.map((answer) => (answer as readonly unknown[])[1]);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 400, 400, 200, 200, 200]);
});

test("an aborted request stores nothing, and later requests are answered", async () => {
  const { queries } = threaded.brand.logos;
  const abort = new AbortController();
  const body = { tag: "gone", similarity_threshold: 0.5, image_data: base64(wing) };
  const created = queries.create("a1", body, [], abort.signal);
  abort.abort(new Error("the client has gone"));
  await expect(created).rejects.toThrow("the client has gone");
  expect((await queries.list("a1")).map(({ query }) => query.tag)).not.toContain("gone");
  expect((await queries.create("a1", body)).tag).toBe("gone");
});

test("a closed edge has no threads, which is the proof that they have described its pictures", async () => {
  await Promise.all([plain.close(), threaded.close()]);
  const describe = (edge: TestEdge) => edge.brand.pictures.describe({ image: wing });
  expect((await describe(plain)).ok).toBe(true);
  await expect(describe(threaded)).rejects.toThrow(
    "`describePicture` was not run: the worker threads are closed",
  );
});

test.each([-1, 65, 1.5, Number.NaN])("%s threads are a RangeError", (threads) => {
  expect(() => createTestEdge({ threads })).toThrow(/^threads must be an integer from 0 to 64; found `/);
});
