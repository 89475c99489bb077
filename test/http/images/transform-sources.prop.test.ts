/** No address makes the server fetch what its zone does not allow, or with what the client sent. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { plain } from "../../engine/images/pictures.ts";
import { runs } from "../../support/runs.ts";

const png = await plain(4, 3).png().toBuffer();

const host = fc.constantFrom(
  "b.com",
  "x.b.com",
  "y.x.b.com",
  "xb.com",
  "b.com.evil.org",
  "127.0.0.1",
  "[::1]",
  "169.254.169.254",
  "example.com",
  "img.example.com",
  "notexample.com",
  "example.com.evil.org",
);
const port = fc.constantFrom("", "", ":8443", ":80", ":443");
const path = fc.constantFrom(
  "/a.png",
  "/photos/a.png",
  "/photosx/a.png",
  "/photos/../a.png",
  "/photos/%2e%2e/a.png",
  "/photos",
  "/",
);

/** An entry of the list, as text and as a check of its own. */
const entry = fc.record({
  sub: fc.boolean(),
  name: fc.constantFrom("b.com", "x.b.com", "127.0.0.1"),
  prefix: fc.constantFrom("", "/photos", "/photos/"),
});

const wrapped = fc.constantFrom<(url: string) => string>(
  (url) => url,
  (url) => url.replace("https://", "//"),
  (url) => url.replace("https://", "https:/"),
  (url) => url.replace("https://", "https://example.com@"),
  (url) => url.replace("https://", "/\\"),
  (url) => url.replace("https://", "//example.com/../"),
  (url) => url.replace("https://", "https://example.com%2f@"),
  (url) => url.replace("https://", "hTTps://").toUpperCase(),
  (url) => url.replace("https:", "http:"),
  (url) => url.replace("https://", "").replace(/^/, "https:\\\\"),
);

interface Given {
  readonly mode: "on" | "off" | "open";
  readonly entries: readonly { readonly sub: boolean; readonly name: string; readonly prefix: string }[];
}

/** Whether the zone allows a URL: a path begins with that of the entry. */
function isAllowed(url: URL, { mode, entries }: Given): boolean {
  const under = (name: string) => url.host === name || url.host.endsWith(`.${name}`);
  if (mode !== "on") return mode === "open";
  if (under("example.com")) return true;
  return entries.some(({ sub, name, prefix }) => {
    const isPath = url.pathname.slice(0, prefix.length) === prefix;
    return (sub ? under(name) : url.host === name) && isPath;
  });
}

test("only sources that the zone allows are fetched, without anything of the client", async () => {
  let fetched = 0;
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        mode: fc.constantFrom("on", "on", "off", "open"),
        entries: fc.array(entry, { maxLength: 2 }),
      }),
      fc.record({ host, port, path, wrapped, onerror: fc.boolean() }),
      async (given, request) => {
        const asked: Request[] = [];
        const list = given.entries
          .map(({ sub, name, prefix }) => `${sub ? "*." : ""}${name}${prefix}`)
          .join(",");
        const settings = { transformations: given.mode, transformations_allowed_origins: list } as const;
        const edge = createEdge({
          world: { zones: [{ id: "z1", name: "example.com", settings }] },
          imageSource: (fetched) => {
            asked.push(fetched);
            return png;
          },
        });
        const source = request.wrapped(`https://${request.host}${request.port}${request.path}`);
        const options = `width=2${request.onerror ? ",onerror=redirect" : ""}`;
        const url = `https://example.com/cdn-cgi/image/${options}/${source}`;
        const headers = { cookie: "s=1", authorization: "Bearer s", "x-amz-security-token": "s" };
        const response = await edge.fetch(new Request(url, { headers }));
        for (const fetched of asked) {
          expect(
            isAllowed(new URL(fetched.url), given),
            `${fetched.url} for ${source} with ${given.mode} ${list}`,
          ).toBe(true);
          expect([...fetched.headers.keys()].sort()).toEqual(["accept", "via"]);
        }
        const location = response.headers.get("location");
        if (location !== null) expect(new URL(location).host).toMatch(/(^|\.)example\.com$/);
        expect(response.status === 200).toBe(asked.length === 1);
        if (asked.length > 0) fetched++;
        else rejected++;
      },
    ),
    { numRuns: runs(2_000, 200) },
  );
  expect(Math.min(fetched, rejected)).toBeGreaterThan(10);
});
