/** Laws of reading a zone: whatever a server answers, there is a result or one usage error, after few requests. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { UsageError } from "../../src/cli/command.ts";
import type { ApiAnswer, ApiClient } from "../../src/cli/network/api-client.ts";
import { pullZone } from "../../src/cli/network/pull-zone.ts";
import { readWorld } from "../../src/import/world-from.ts";

const zone = { id: "z1", name: "example.com", account: { id: "a1" } };

const names = [
  "id",
  "name",
  "account",
  "result",
  "success",
  "variants",
  "keys",
  "messages",
  "result_info",
  "__proto__",
];

const hostile: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, "", "..", "example.com", 0, -1, 1e308, "\u0000", zone),
    fc.jsonValue(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const answer: fc.Arbitrary<ApiAnswer> = fc.oneof(
  hostile.map((body) => ({ ok: true as const, body })),
  hostile.map((result) => ({ ok: true as const, body: { success: true, result } })),
  fc.constantFrom(400, 401, 403, 404).map((status) => ({ ok: false as const, status, message: "no" })),
);

/** Answers in turn; the zone itself can be the right one, so that more is read. */
function clientOf(answers: readonly ApiAnswer[], hasZone: boolean) {
  const paths: string[] = [];
  const client: ApiClient = {
    get: async (path) => {
      paths.push(path);
      if (hasZone && path.startsWith("/zones?")) return { ok: true, body: { success: true, result: [zone] } };
      return answers[paths.length % answers.length]!;
    },
  };
  return { client, paths };
}

test("any answers end in documents that the reader of saved responses accepts, or in a usage error", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (answers, hasZone) => {
        const { client, paths } = clientOf(answers, hasZone);
        const pulled = await pullZone(client, "example.com", true).catch((error: unknown) => {
          expect(error).toBeInstanceOf(UsageError);
          return undefined;
        });
        for (const path of paths)
          expect(path).toMatch(/^\/(zones|accounts)(\/[A-Za-z0-9_-]{1,64})*(\?[^/]*)?$/);
        expect(paths.length).toBeLessThan(2_000);
        if (!pulled) return;
        const files = pulled.documents.map(({ path, envelope }) => ({
          name: path,
          text: JSON.stringify(envelope),
        }));
        const read = readWorld(files, { withSecrets: true });
        if (read.ok) expect(JSON.parse(JSON.stringify(read.value.world))).toEqual(read.value.world);
      },
    ),
  );
});
