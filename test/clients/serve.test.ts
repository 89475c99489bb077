/** The provider's client library against `edgeproof serve`, by the command line of the guide. */
import { readFileSync } from "node:fs";
import type Cloudflare from "cloudflare";
import { expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";
import { testKeys } from "../support/keys.ts";
import { clientAt } from "./provider.ts";

const guide = readFileSync("docs/clients.md", "utf8");
const [, command = ""] = /^npx edgeproof (serve .*--envelopes .*)$/m.exec(guide) ?? [];

/** Runs the command while `work` uses it. */
async function serving(words: readonly string[], work: (client: Cloudflare) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  await new Promise<void>((resolve, reject) => {
    const onOut = (text: string) => {
      const baseURL = /http:\S+/.exec(text)![0];
      const client = clientAt(baseURL);
      work(client)
        .catch(reject)
        .finally(() => stop.abort());
    };
    edgeproof(words, "", { signal: stop.signal, onOut }).then(({ code, err }) => {
      if (code === 0) resolve();
      else reject(new Error(err));
    }, reject);
  });
}

test("the command line of the guide serves client library 7.3, which expects envelopes everywhere", async () => {
  const { es256, es384 } = await testKeys();
  const words = command.replace("--port 8787", "--port 0").split(" ");
  await serving(words, async (client) => {
    const listed = await client.brandProtection.v2.queries.get({ account_id: "a1" });
    expect([...(listed as Iterable<unknown>)]).toEqual([]);
    const { configuration: configurations } = client.tokenValidation;
    const created = await configurations.create({
      zone_id: "z1",
      title: "one",
      description: "",
      token_type: "JWT",
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [es256.jwk as never] },
    });
    const update = { zone_id: "z1", keys: [es384.jwk as never] };
    expect((await configurations.credentials.update(created.id, update)).keys).toEqual([es384.jwk]);
  });
});
