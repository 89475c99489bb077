/** Laws of listings by continuation tokens. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { imageSetting } from "../../support/images.ts";
import { runs } from "../../support/runs.ts";

const step = fc.oneof(
  fc.constant({ do: "upload" as const }),
  fc.record({ do: fc.constant("delete" as const), nth: fc.nat(30) }),
  fc.record({ do: fc.constant("rename" as const), nth: fc.nat(30) }),
);

test("a listing returns every image that exists throughout once and in order, whatever is added or deleted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      fc.constantFrom("asc", "desc"),
      fc.array(fc.record({ size: fc.integer({ min: 1, max: 4 }), steps: fc.array(step, { maxLength: 4 }) }), {
        minLength: 12,
        maxLength: 12,
      }),
      fc.boolean(),
      async (count, sort, pages, tick) => {
        let now = 0;
        const { client, edge } = imageSetting({ clock: () => (tick ? now++ : now) });
        await client.ok("GET", "/v1");
        // Images are identified by sequence: an edit may change the id.
        let next = 0;
        const present = new Map<number, string>();
        const put = (sequence: number, id: string) => {
          const original = { blob: id, type: "png", width: 1, height: 1, frames: 1 } as const;
          const uploaded = new Date(tick ? sequence : 0).toISOString();
          const fields = { sequence, uploaded, draft: false, creator: null, requireSignedURLs: false };
          present.set(sequence, id);
          return edge.store.write((tx) =>
            tx.insert("images", {
              scope: "a1",
              id,
              ...fields,
              original,
              upload_token: null,
              expires_at: null,
            }),
          );
        };
        const upload = () => put(++next, `i${(next * 7919) % 1000}-${next}`);
        for (let i = 0; i < count; i++) await upload();
        const stayed = new Set(present.keys());

        const seen: number[] = [];
        let token: string | null = "";
        for (const { size, steps } of pages) {
          if (token === null) break;
          const path: string = `/v2?per_page=${size}&sort_order=${sort}${token && `&continuation_token=${token}`}`;
          const { result } = await client.ok("GET", path);
          const bySequence = new Map([...present].map(([sequence, id]) => [id, sequence]));
          seen.push(...result.images.map((image: { id: string }) => bySequence.get(image.id)!));
          token = result.continuation_token;
          for (const change of steps) {
            const chosen = "nth" in change ? [...present][change.nth % Math.max(1, present.size)] : undefined;
            if (change.do === "upload") await upload();
            else if (chosen && change.do === "delete") {
              await client.ok("DELETE", `/v1/${chosen[1]}`);
              present.delete(chosen[0]);
              stayed.delete(chosen[0]);
            } else if (chosen) {
              const { result: image } = await client.ok("GET", `/v1/${chosen[1]}`);
              const patch = { requireSignedURLs: !image.requireSignedURLs };
              present.set(chosen[0], (await client.ok("PATCH", `/v1/${chosen[1]}`, patch)).result.id);
            }
          }
        }
        const sorted = [...seen].sort((a, b) => (sort === "asc" ? a - b : b - a));
        expect(seen).toEqual(sorted);
        expect(new Set(seen).size).toBe(seen.length);
        if (token === null) for (const sequence of stayed) expect(seen).toContain(sequence);
      },
    ),
    { numRuns: runs(60) },
  );
});
