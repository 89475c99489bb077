/** A cached transformation is answered as one that was never asked for, without reading a source that has an entity tag. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { plain } from "../../engine/images/pictures.ts";
import { runs } from "../../support/runs.ts";

const pictures = [
  await plain(8, 6, [200, 40, 40]).png().toBuffer(),
  await plain(6, 8, [40, 40, 200]).jpeg().toBuffer(),
  Buffer.from("no picture"),
];

/** A source at the time of a request; its tag tells its bytes, or it has none. */
interface Source {
  readonly version: number;
  readonly isTagged: boolean;
}

interface Counts {
  read: number;
}

function edgeOf(source: () => Source, counts: Counts) {
  return createEdge({
    world: { zones: [{ id: "z1", name: "example.com", settings: { transformations: "on" } }] },
    imageSource: () => {
      const { version, isTagged } = source();
      const body = new ReadableStream(
        {
          pull: (controller) => {
            counts.read++;
            controller.enqueue(new Uint8Array(pictures[version] as Buffer));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: isTagged ? { etag: `W/"v${version}"` } : {} });
    },
  });
}

const request = fc.record({
  list: fc.constantFrom(
    "width=4,height=4,fit=cover",
    "fit=cover,h=4,w=4",
    "w=4,format=auto",
    "width=4,height=4,fit=cover",
    "w=4,format=auto",
    "w=4,scq=20,q=90,f=jpeg",
    "trim=9;9;9;9",
    "blur=300",
  ),
  path: fc.constantFrom("/a", "/a", "/b"),
  accept: fc.constantFrom("image/webp", "image/avif,image/webp", "*/*"),
  slow: fc.boolean(),
  /** Which tag the client has: none, any, or that of an earlier answer. */
  known: fc.constantFrom<"none" | "any" | "last">("none", "none", "any", "last"),
  source: fc.record({
    version: fc.constantFrom(0, 0, 0, 0, 1, 2),
    isTagged: fc.constantFrom(true, true, false),
  }),
});

/** Everything of an answer but its identity and the times of the rendering. */
async function facts(response: Response): Promise<unknown> {
  const headers = [...response.headers].filter(
    ([name, value]) => name !== "x-trace-id" && !value.startsWith("internal="),
  );
  return [response.status, headers, Buffer.from(await response.arrayBuffer()).toString("base64")];
}

test("answers from the cache equal those of a new server, and read no source with an entity tag", async () => {
  const seen = { hits: 0, unread: 0, notModified: 0, rejected: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 30, maxLength: 30 }), async (requests) => {
      const counts = { read: 0 };
      let source: Source = { version: 0, isTagged: true };
      const kept = edgeOf(() => source, counts);
      let last = '"none"';
      for (const { list, path, accept, slow, known, source: now } of requests) {
        source = now;
        const headers = {
          accept,
          ...(slow && { "save-data": "on" }),
          ...(known !== "none" && { "if-none-match": known === "any" ? "*" : last }),
        };
        const ask = (edge: ReturnType<typeof edgeOf>) =>
          edge.fetch(new Request(`https://example.com/cdn-cgi/image/${list}${path}`, { headers }));
        counts.read = 0;
        const answer = await ask(kept);
        const fromCache = answer.headers.get("x-image-result")?.startsWith("internal=ok/h") === true;
        const { read } = counts;
        const plainAnswer = await ask(edgeOf(() => source, { read: 0 }));
        last = answer.headers.get("etag") ?? last;
        if (answer.status === 304) seen.notModified++;
        if (answer.status >= 400) seen.rejected++;
        if (fromCache && answer.status === 200) {
          seen.hits++;
          expect(read).toBe(now.isTagged ? 0 : 1);
          if (read === 0) seen.unread++;
        }
        expect(await facts(answer)).toEqual(await facts(plainAnswer));
      }
    }),
    { numRuns: runs(80, 20) },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThanOrEqual(20);
});
