/** Names of options that do not exist, in every function that has options. */

import { compareZones } from "edgeproof/analysis";
import { compileZone } from "edgeproof/tokens";
import { expect, test } from "vitest";
import { profiles } from "../../src/core/profiles.ts";
import { createEdge } from "../../src/edge.ts";
import { mintFaultyToken } from "../../src/testing/tokens/faults.ts";
import { mintKey } from "../../src/testing/tokens/mint.ts";

const zone = { configs: [], rules: [] };

test("compileZone rejects unknown options with the nearest name", async () => {
  const compile = (options: object) => compileZone(zone, options);
  await expect(compile({ precedense: "first" })).rejects.toThrow(
    new TypeError("`precedense` is not an option of compileZone; did you mean `precedence`?"),
  );
  await expect(compile({ limits: { maxNestin: 3 } })).rejects.toThrow(
    /not an option of limits; .*`maxNesting`/,
  );
  await expect(compile({ profile: "povider" })).rejects.toThrow(TypeError);
  await expect(compile({ precedense: undefined, precedence: undefined })).resolves.toBeDefined();
  for (const name of ["__proto__", "constructor", "toString"])
    await expect(compile(JSON.parse(`{"${name}": 1}`))).rejects.toThrow(TypeError);
});

test("a profile sets the defaults of a zone, and the rows of a profile are options", async () => {
  const selector = { include: [{ host: ["api.example.com"] }] };
  const rule = (id: string, expression: string) => {
    return { id, action: "block" as const, enabled: true, expression, selector };
  };
  const rules = [rule("a", 'http.request.method eq "GET"'), rule("b", 'http.request.method eq "PUT"')];
  const request = { method: "GET", url: "https://api.example.com/" };
  const actionWith = async (options: Parameters<typeof compileZone>[1]) =>
    (await compileZone({ configs: [], rules }, options)).evaluateSync(request).action;
  expect(await actionWith({})).toBe("block");
  expect(await actionWith({ profile: "provider" })).toBe("allow");
  expect(await actionWith({ ...profiles.provider })).toBe("allow");
  expect(await actionWith({ profile: "provider", precedence: "all" })).toBe("block");
  const ports = [{ ...rule("a", 'http.host eq "a"'), selector: { include: [{ host: ["a:80"] }] } }];
  await expect(compileZone({ configs: [], rules: ports }, { profile: "provider" })).rejects.toThrow(/port/);
});

test("createEdge rejects unknown options, limits, brand options and faults", () => {
  expect(() => createEdge({ profil: "spec" } as object)).toThrow(/`profil` is not an option of createEdge/);
  expect(() => createEdge({ limits: { keysPerConfg: 1 } } as object)).toThrow(/did you mean `keysPerConfig`/);
  expect(() => createEdge({ brand: { modus: 1 } } as object)).toThrow(/`modus` is not an option of brand/);
  expect(() => createEdge({ faults: [{ evry: 2, status: 429 }] } as object)).toThrow(/did you mean `every`/);
  createEdge({ ...profiles.provider, limits: { keysPerConfig: undefined as never } });
});

test("an option of createEdge that must be a function, or true or false, is nothing else", () => {
  const functions = [
    "clock",
    "onNote",
    "onLeftOut",
    "fetchImage",
    "imageSource",
    "onError",
    "onAnswer",
    "onVerdict",
  ];
  for (const name of functions)
    expect(() => createEdge({ [name]: 5 })).toThrow(
      new TypeError(`\`options.${name}\` must be a function; found \`5\``),
    );
  for (const name of ["anyToken", "prune", "ingest", "requestFaults"])
    expect(() => createEdge({ [name]: "false" })).toThrow(TypeError);
});

test("maxDifferences must be an integer from 1", () => {
  for (const maxDifferences of [0, -1, 1.5, Number.NaN])
    expect(() => compareZones(zone, zone, { maxDifferences })).toThrow(RangeError);
});

test("mintFaultyToken rejects unknown options", async () => {
  const key = await mintKey("ES256");
  await expect(mintFaultyToken(key, "expired", { nowMS: 1 } as object)).rejects.toThrow(
    /did you mean `nowMs`/,
  );
});
