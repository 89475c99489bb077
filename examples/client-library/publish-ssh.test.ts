/** Runs the production code against the simulator, which responds and rejects like the interface. */
import Provider, { BadRequestError } from "cloudflare";
import { createTestEdge } from "edgeproof/testing";
import { expect, test } from "vitest";
import { publishSsh } from "./publish-ssh.ts";

function openClient() {
  const edge = createTestEdge({ profile: "provider", envelopes: "everywhere" });
  const client = new Provider({
    apiToken: "any",
    baseURL: "https://edge.test/client/v4",
    fetch: async (url, init) => edge.fetch(new Request(url as string, init as RequestInit)),
    maxRetries: 0,
  });
  return { edge, client };
}

test("the application is created once", async () => {
  const { edge, client } = openClient();
  const id = await publishSsh(client, "z1", "ssh.example.com", "192.0.2.1");
  expect(await publishSsh(client, "z1", "ssh.example.com", "192.0.2.1")).toBe(id);
  const url = "https://edge.test/client/v4/zones/z1/spectrum/apps";
  const response = await edge.fetch(new Request(url, { headers: { authorization: "Bearer any" } }));
  const { result } = (await response.json()) as { result: unknown[] };
  expect(result).toHaveLength(1);
  expect(result[0]).toMatchObject({ id, protocol: "tcp/22", origin_direct: ["tcp://192.0.2.1:22"] });
});

test("an address without brackets is rejected with the interface's code", async () => {
  const { client } = openClient();
  const rejected = publishSsh(client, "z1", "ssh.example.com", "2001:db8::1");
  await expect(rejected).rejects.toThrow(BadRequestError);
  await expect(rejected).rejects.toMatchObject({ errors: [{ code: 11002 }] });
});
