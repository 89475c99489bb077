/** Files with the keys of an issuer as a world. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { keyFiles } from "../../../src/import/keys/key-files.ts";
import { readers } from "../../../src/import/readers.ts";
import { sourceFile } from "../../../src/import/source-file.ts";
import { worldFrom } from "../../../src/import/world-from.ts";

const folder = "fixtures/own-configuration";
const fixture = (name: string) => ({
  name: `${folder}/${name}`,
  text: readFileSync(`${folder}/${name}`, "utf8"),
});

describe("a JWK Set", () => {
  test("is a configuration of its own, whose id, title and token source are reported as derived", () => {
    const { world, report } = worldFrom([fixture("jwks-keycloak.json"), fixture("api-zone.json")]);
    const [config, ...more] = world.zones?.[0]?.token_validation?.configs ?? [];
    expect(more).toEqual([]);
    expect(config).toMatchObject({
      title: "jwks-keycloak",
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [{ kid: "YtzKq0v8hLw3s5w0n2u8ZkQm4r1Jc7pXo9aVbNe6T2E", alg: "RS256" }] },
    });
    expect(report.derived.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        `The keys are those of a configuration of their own, \`${config?.id}\` with the title \`jwks-keycloak\`, from the name of the file.`,
        'Its tokens are in `http.request.headers["authorization"][0]`, where bearer tokens are (RFC 6750).',
      ]),
    );
    expect(report.dropped).toMatchObject([
      {
        message: "`use` must be `sig` or missing; found `enc`.",
        at: { pointer: "/keys/0", start: { line: 3, column: 5 } },
      },
    ]);
    expect(report.undecided).toEqual([]);
  });

  test("has the same id wherever the file is", () => {
    const { text } = fixture("jwks-entra.json");
    const idOf = (name: string) =>
      worldFrom([{ name, text }, fixture("api-zone.json")]).world.zones?.[0]?.token_validation?.configs?.[0]
        ?.id;
    expect(idOf("/a/jwks.json")).toBe(idOf("b\\jwks.json"));
    expect(idOf("jwks.json")).not.toBe(idOf("other.json"));
  });

  test("without a usable key is undecided, with what to run", () => {
    const text = JSON.stringify({ keys: [{ kty: "OKP", crv: "Ed25519", kid: "e", x: "AA" }] });
    for (const [name, word] of [
      ["jwks.json", "jwks.json"],
      ["my keys.json", "'my keys.json'"],
    ] as const) {
      const { report } = worldFrom([{ name, text }, fixture("api-zone.json")]);
      expect(report.undecided).toMatchObject([{ about: "key", run: `npx edgeproof world keys ${word}` }]);
      expect(report.dropped).toHaveLength(1);
    }
  });
});

test("PEM text is recognized; its key has no kid, so that it is undecided", () => {
  const text = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n";
  const { report } = worldFrom([{ name: "key.pem", text }, fixture("api-zone.json")]);
  expect(report.formats[0]).toEqual({ file: "key.pem", format: "keys of an issuer" });
  expect(report.undecided).toHaveLength(1);
});

test("files of the other formats are not taken for keys", () => {
  for (const name of [
    "api-image-keys.json",
    "api-token-configs.json",
    "api-domain-queries.json",
    "show-state-v5.json",
  ])
    expect(keyFiles.detect(sourceFile(fixture(name))), name).toBe(false);
  for (const text of ["", "{}", "[]", "{", "null", '{"keys":[{"name":"a","value":"b"}]}', '{"zones":[]}'])
    expect(keyFiles.detect(sourceFile({ name: "x", text })), text).toBe(false);
});

test("no other reader takes a JWK Set", () => {
  for (const reader of readers.filter((other) => other !== keyFiles))
    expect(reader.detect(sourceFile(fixture("jwks-keycloak.json"))), reader.format).toBe(false);
});

describe("keysOf", () => {
  const jwks = fixture("jwks-entra.json");
  const rest = [fixture("api-zone.json"), fixture("api-token-configs.json")];
  const configsOf = (keysOf: string) => {
    const { world, report } = worldFrom([jwks, ...rest], { keysOf });
    return { configs: world.zones?.[0]?.token_validation?.configs ?? [], report };
  };

  test.each(["Mobile", "46EAB8D1-6376-45e3-968f-2c649d77d423"])("%s gets the keys of the file", (name) => {
    const { configs, report } = configsOf(name);
    const kids = configs.map(({ title, credentials }) => [title, credentials.keys.length]);
    expect(kids).toEqual([
      ["Web", 1],
      ["Mobile", 2],
    ]);
    expect(configs[1]?.credentials.keys).toMatchObject([{ alg: "RS256" }, { alg: "RS256" }]);
    expect(report.derived[0]?.message).toBe(
      `2 keys are for the configuration \`${name}\`, as the option says.`,
    );
    expect(report.undecided).toEqual([]);
  });

  test("without a file of keys leaves the keys undecided", () => {
    const { world, report } = worldFrom(rest, { keysOf: "Mobile" });
    expect(world.zones?.[0]?.token_validation?.configs).toHaveLength(2);
    expect(report.undecided).toMatchObject([
      { about: "key", message: expect.stringContaining("No file has keys for the configuration `Mobile`") },
    ]);
  });

  test("without a file of keys, of a configuration that no file has, says nothing", () => {
    expect(worldFrom(rest, { keysOf: "Other" }).report.undecided).toEqual([]);
  });

  test("that no configuration has leaves the keys undecided", () => {
    const { configs, report } = configsOf("Nothing");
    expect(configs).toHaveLength(2);
    expect(report.undecided).toMatchObject([
      {
        about: "key",
        message: expect.stringMatching(
          /^The keys belong to no configuration: none has the id or title `Nothing`; the configurations are `[0-9a-f-]{36}` \(.+\), `[0-9a-f-]{36}` \(.+\)\.$/,
        ),
      },
    ]);
    expect(report.derived.map(({ message }) => message).join()).not.toContain("Nothing");
  });
});
