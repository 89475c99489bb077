/**
 * Clients that three generators make from the published OpenAPI document: they compile in strict mode, and each runs one story
 * against the handler in this process. The stories also state which bodies must not compile.
 */
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { png } from "../support/images.ts";
import { validating } from "../support/interface.ts";

const run = promisify(execFile);
const folder = resolve("test/clients/generators");
const generators = ["openapi-fetch", "hey-api", "orval"] as const;

/** Runs a program; its output is the error's message. */
async function succeed(args: readonly string[]): Promise<void> {
  await run(process.execPath, args).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${stdout}${stderr}`);
  });
}

beforeAll(async () => {
  rmSync(`${folder}/generated`, { recursive: true, force: true });
  for (const name of generators) {
    await succeed([
      `${folder}/generate.mjs`,
      name,
      resolve("schemas/openapi.json"),
      `${folder}/generated/${name}`,
    ]);
  }
}, 300_000);

afterEach(() => {
  vi.unstubAllGlobals();
});

test("the generated clients and their stories compile in strict mode", async () => {
  const compiled = succeed([resolve("node_modules/typescript/bin/tsc"), "-p", folder]);
  await expect(compiled).resolves.toBeUndefined();
});

describe.each(generators)("the client of %s", (name) => {
  test("changes an application partially, creates a configuration with a key, uploads files and filters by metadata", async () => {
    const fetch = validating(createEdge().fetch);
    vi.stubGlobal("fetch", (input: string, init?: RequestInit) => fetch(new Request(input, init)));
    const { story } = await import(pathToFileURL(`${folder}/stories/${name}.ts`).href);
    const { x, y } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
    const result = await story({
      fetch,
      baseUrl: "https://edge.test/client/v4",
      key: { alg: "ES256", crv: "P-256", kty: "EC", kid: "one", x, y },
      picture: new Blob([new Uint8Array(await png())]),
    });
    expect(result).toEqual({
      app: expect.objectContaining({
        tls: "off",
        dns: { name: "git.example.com", type: "CNAME" },
        edge_ips: { type: "dynamic", connectivity: "ipv4" },
      }),
      keyIds: ["one"],
      found: ["rome"],
    });
  });
});
