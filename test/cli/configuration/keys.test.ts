/** `edgeproof world keys`: files, discovery against an https server with its own authority, and the check of a configuration. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reportOutput } from "../../../src/cli/output/schemas/report.ts";
import type { JwtKey } from "../../../src/engine/tokens/model.ts";
import { mintKey } from "../../../src/testing/tokens/mint.ts";
import { bundledCli } from "../../support/bundled.ts";
import { certificateAuthority } from "../../support/certificates.ts";
import { edgeproof } from "../../support/cli.ts";
import { type TestKeys, testKeys } from "../../support/keys.ts";

const fixtures = "fixtures/own-configuration";
const id = "52973293-cb04-4a97-8f55-e7d2ad1107dd";
const source = 'http.request.headers["authorization"][0]';

let folder: string;
let keys: TestKeys;
let other: JwtKey;
let server: Server;
let issuer: string;
/** Responses by path. */
let answers: Map<string, { status?: number; headers?: Record<string, string>; body?: unknown }>;
let requested: { path: string; headers: Record<string, unknown> }[];

const at = (name: string) => join(folder, name);
const local = () => ["--ca", at("ca.pem"), "--fetch-private"];
const ask = (...more: string[]) => edgeproof(["world", "keys", "--issuer", issuer, ...local(), ...more]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  keys = await testKeys();
  other = (await mintKey("RS256")).jwk;
  const authority = certificateAuthority();
  await writeFile(at("ca.pem"), authority.cert);
  server = createServer(authority.issue(), (request, response) => {
    const path = request.url ?? "";
    requested.push({ path, headers: request.headers });
    const { status = 200, headers = {}, body = "" } = answers.get(path) ?? { status: 404 };
    response.writeHead(status, headers);
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}/realms/shop`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const discovery = "/realms/shop/.well-known/openid-configuration";

beforeEach(() => {
  requested = [];
  answers = new Map<string, { status?: number; headers?: Record<string, string>; body?: unknown }>([
    [discovery, { body: { issuer, jwks_uri: new URL("/certs", issuer).href } }],
    ["/certs", { body: { keys: [keys.rs256.jwk] } }],
  ]);
});

describe("a file", () => {
  test("the accepted keys are the credentials of a configuration, and standard error explains the others", async () => {
    const { code, out, err } = await edgeproof(["world", "keys", `${fixtures}/jwks-keycloak.json`]);
    expect(code).toBe(0);
    const credentials = JSON.parse(out);
    expect(credentials.keys).toMatchObject([
      { alg: "RS256", kid: "YtzKq0v8hLw3s5w0n2u8ZkQm4r1Jc7pXo9aVbNe6T2E" },
    ]);
    expect(err).toBe(
      "dropped /keys/0 mR4cX7pVbN2eT9aYtzKq0v8hLw3s5w0n2u8ZkQ1Jo6A (not_for_signatures): `use` must be `sig` or missing; found `enc`.\n" +
        `${fixtures}/jwks-keycloak.json: 1 key accepted, 1 dropped\n`,
    );
    await writeFile(at("own.json"), JSON.stringify({ zones: [zoneWith(credentials.keys)] }));
    expect((await edgeproof(["check", at("own.json")])).code).toBe(0);
  });

  test("--json has the keys and the reasons in one document", async () => {
    const { code, out, err } = await edgeproof(["world", "keys", `${fixtures}/jwks-entra.json`, "--json"]);
    expect([code, err]).toEqual([0, ""]);
    const { keys: accepted, notes, source: from } = JSON.parse(out);
    expect([accepted.length, notes.length, from]).toEqual([2, 2, `${fixtures}/jwks-entra.json`]);
  });

  test("--default-alg and --kid fill in what a key lacks", async () => {
    const { alg, kid, ...bare } = keys.rs256.jwk;
    const run = await edgeproof(
      ["world", "keys", "-", "--default-alg", "PS512", "--kid", "web"],
      JSON.stringify(bare),
    );
    expect(JSON.parse(run.out).keys).toMatchObject([{ alg: "PS512", kid: "web" }]);
    const wrong = await edgeproof(["world", "keys", "-", "--default-alg", "ES256"], "{}");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("--default-alg must be `RS256`");
  });

  test("a file without a usable key, and one with a private key, exit with 1", async () => {
    const none = await edgeproof(["world", "keys", "-"], '{"keys":[]}');
    expect([none.code, none.out]).toEqual([1, ""]);
    const secret = [{ ...keys.rs256.jwk, d: "c2VjcmV0" }, keys.es256.jwk];
    const run = await edgeproof(["world", "keys", "-"], JSON.stringify(secret));
    expect(run.code).toBe(1);
    expect(JSON.parse(run.out).keys).toHaveLength(1);
    expect(run.out + run.err).not.toContain("c2VjcmV0");
  });

  test("a file that is neither JSON nor PEM is a usage error with its line", async () => {
    const { code, err } = await edgeproof(["world", "keys", "-"], '{"keys":[}');
    expect([code, err]).toEqual([
      2,
      "edgeproof: standard input:1:10: the text is neither JSON nor PEM: `}` is not allowed here\n",
    ]);
  });

  test("kids with control characters are escaped", async () => {
    const { err } = await edgeproof(
      ["world", "keys", "-"],
      JSON.stringify([{ kty: "OKP", kid: "\u001b[2J\nok" }]),
    );
    expect(err).toContain("\\u001b[2J\\nok");
  });
});

describe("an issuer", () => {
  test("its keys are found by discovery, and nothing identifies the user to it", async () => {
    const { code, out, err } = await ask();
    expect([code, JSON.parse(out)]).toEqual([0, { keys: [keys.rs256.jwk] }]);
    expect(err).toContain("/certs: 1 key accepted, 0 dropped");
    expect(requested.map(({ path }) => path)).toEqual([discovery, "/certs"]);
    expect(Object.keys(requested[0]!.headers).sort()).toEqual(
      ["accept", "accept-encoding", "connection", "host", "user-agent"].sort(),
    );
  });

  test("a slash at the end of the issuer makes no difference", async () => {
    answers.set(discovery, { body: { issuer: `${issuer}/`, jwks_uri: new URL("/certs", issuer).href } });
    expect((await edgeproof(["world", "keys", "--issuer", `${issuer}/`, ...local()])).code).toBe(0);
    expect((await ask()).code).toBe(0);
  });

  test("the only RSA algorithm that the issuer names is that of keys without alg", async () => {
    const { alg, ...bare } = keys.rs256.jwk;
    answers.set("/certs", { body: { keys: [bare] } });
    const jwks_uri = new URL("/certs", issuer).href;
    const algorithms = (...names: string[]) =>
      answers.set(discovery, { body: { issuer, jwks_uri, id_token_signing_alg_values_supported: names } });
    const algOf = async (...more: string[]) => JSON.parse((await ask(...more)).out).keys[0].alg;
    algorithms("PS256", "ES256");
    expect(await algOf()).toBe("PS256");
    expect(await algOf("--default-alg", "RS512")).toBe("RS512");
    algorithms("PS256", "RS256");
    expect(await algOf()).toBe("RS256");
  });

  test("a document of another issuer is an error", async () => {
    answers.set(discovery, {
      body: { issuer: "https://evil.example", jwks_uri: new URL("/certs", issuer).href },
    });
    const { code, out, err } = await ask();
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`\`issuer\` must be \`${issuer}\`; found \`https://evil.example\``);
    answers.set(discovery, { body: { issuer: "https://login.example/{tenantid}/v2.0" } });
    expect((await ask()).err).toContain("a template for several tenants");
  });

  test.each([
    [
      { status: 302, headers: { location: "https://127.0.0.2/keys" } },
      "it redirects to another host, 127.0.0.2",
    ],
    [{ status: 302, headers: { location: "http://127.0.0.1/keys" } }, "the scheme `http` is not allowed"],
    [{ status: 302, headers: { location: "/certs" } }, "it redirects more than 3 times"],
    [{ status: 500 }, "the server answered with status 500"],
    [{ body: "x".repeat(1_048_577) }, "the document is larger than 1048576 bytes"],
    [{ headers: { "content-encoding": "gzip" }, body: "x" }, "the server compressed its response"],
    [{ headers: { "content-length": "100" }, body: "{}" }, "cannot fetch"],
    [{ body: "<html>" }, "the document is not JSON"],
  ])("a key set with %j is an error", async (answer, message) => {
    answers.set("/certs", answer);
    const { code, out, err } = await ask();
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  test("a redirect within the host is followed", async () => {
    answers.set("/certs", { status: 302, headers: { location: "/certs/current" } });
    answers.set("/certs/current", { body: { keys: [keys.es256.jwk] } });
    expect(JSON.parse((await ask()).out).keys).toEqual([keys.es256.jwk]);
  });

  test("a private address is rejected without --fetch-private, and so is one in jwks_uri", async () => {
    const { code, err } = await edgeproof(["world", "keys", "--issuer", issuer, "--ca", at("ca.pem")]);
    expect(code).toBe(2);
    expect(err).toContain("the address 127.0.0.1 is not in the public internet; --fetch-private allows it");
    expect(requested).toEqual([]);
  });

  test("a certificate of an unknown authority is rejected, even where the environment turns the check off", async () => {
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const { code, err } = await edgeproof(["world", "keys", "--issuer", issuer, "--fetch-private"]);
      expect(code).toBe(2);
      expect(err).toContain("the certificate is not signed by a trusted authority");
      expect(err).toContain("--ca names a file");
      expect(requested).toEqual([]);
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
  });

  test("NODE_EXTRA_CA_CERTS adds an authority, as in every program of Node", async () => {
    const words = [bundledCli(), "keys", "--issuer", issuer, "--fetch-private"];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: at("ca.pem") };
    const { stdout } = await promisify(execFile)(process.execPath, words, { env });
    expect(JSON.parse(stdout).keys).toEqual([keys.rs256.jwk]);
  }, 60_000);

  test.each([
    "http://login.example.com",
    "https://user:pw@login.example.com",
    "https://login.example.com?x",
    "https://login.example.com#x",
    "login.example.com",
    "https://",
  ])("%s is not an issuer", async (url) => {
    const { code, err } = await edgeproof(["world", "keys", "--issuer", url]);
    expect(code).toBe(2);
    expect(err).toContain("--issuer must be an https URL without credentials, query and fragment");
  });

  test("a file of --ca without a certificate is an error", async () => {
    const { code, err } = await edgeproof([
      "world",
      "keys",
      "--issuer",
      issuer,
      "--ca",
      `${fixtures}/jwks-entra.json`,
    ]);
    expect(code).toBe(2);
    expect(err).toContain("must have a certificate in PEM; it has none");
  });

  test("a stop ends the fetch", async () => {
    const stop = new AbortController();
    stop.abort();
    const words = ["world", "keys", "--issuer", issuer, ...local()];
    const { code, err } = await edgeproof(words, "", { signal: stop.signal });
    expect([code, err]).toEqual([2, "edgeproof: stopped; nothing was read\n"]);
  });

  test("an issuer and a file together, and neither, are usage errors", async () => {
    expect((await ask("jwks.json")).err).toContain("expected an issuer or a file; found both");
    expect((await edgeproof(["world", "keys"])).err).toContain(
      "expected --issuer <url> or a file with keys; found neither",
    );
    expect((await edgeproof(["world", "keys", "a", "b"])).err).toContain("expected at most 1 file; found 2");
    expect((await edgeproof(["world", "keys", "a", "--world", "w"])).err).toContain(
      "unknown option `--world`",
    );
  });
});

const zoneWith = (own: readonly unknown[], more: object[] = []) => ({
  id: "z1",
  name: "example.com",
  token_validation: {
    configs: [{ id, title: "Web", token_sources: [source], credentials: { keys: own } }, ...more],
  },
});

describe("keys check", () => {
  const world = async (own: readonly unknown[], more: object[] = []) => {
    await writeFile(at("world.json"), JSON.stringify({ zones: [zoneWith(own, more)] }, null, 2));
    return ["keys", "check", "--world", at("world.json")];
  };
  const jwks = async (...list: object[]) => {
    await writeFile(at("jwks.json"), JSON.stringify({ keys: list }));
    return ["--jwks", at("jwks.json")];
  };
  const checks = async (words: readonly string[]) => {
    const { code, out } = await edgeproof([...words, "--json"]);
    return {
      code,
      found: reportOutput
        .parse(JSON.parse(out))
        .diagnostics.map((diagnostic) => [diagnostic.rule, diagnostic.pointer, diagnostic.subject?.["kid"]]),
    };
  };

  test("equal keys have no findings, and encryption keys of the issuer do not count", async () => {
    const encryption = { ...other, use: "enc" };
    const words = [...(await world([keys.rs256.jwk])), ...(await jwks(keys.rs256.jwk, encryption))];
    const { code, out } = await edgeproof(words);
    expect(code).toBe(0);
    expect(out).toContain(
      `Web (${id}) against ${at("jwks.json")}, 1 key\n1 configuration: 0 errors, 0 warnings, 0 notes\n`,
    );
  });

  test("a key that only the issuer has, one that only the configuration has, and one that differs are findings", async () => {
    const changed = { ...other, kid: keys.rs256.jwk.kid };
    const words = [
      ...(await world([keys.rs256.jwk, keys.es384.jwk])),
      ...(await jwks(changed, keys.es256.jwk)),
    ];
    const at = "/zones/0/token_validation/configs/0/credentials/keys";
    expect(await checks(words)).toEqual({
      code: 1,
      found: [
        ["changed_key", `${at}/0`, "rs256"],
        ["missing_key", at, "es256"],
        ["stale_key", `${at}/1`, "es384"],
      ],
    });
    const { out } = await edgeproof(words);
    expect(out).toMatch(/world\.json:\d+:\d+: error missing_key at \/zones\/0/);
    expect(out).toContain("tokens that the issuer signs with it are invalid.");
    expect(out).toContain("2 errors, 1 warning");
  });

  test("a key that the issuer has under another alg is missing, and the message says so", async () => {
    const renamed = { ...keys.rs256.jwk, alg: "RS512" };
    const { out } = await edgeproof([...(await world([keys.rs256.jwk])), ...(await jwks(renamed))]);
    expect(out).toContain("only one with this kid and alg `RS256`");
  });

  test("keys that no configuration can have, and secrets of the issuer, are findings", async () => {
    const words = [
      ...(await world([keys.rs256.jwk])),
      ...(await jwks(
        keys.rs256.jwk,
        { kty: "OKP", crv: "Ed25519", kid: "ed" },
        { ...other, kid: "s", d: "AQAB" },
      )),
    ];
    expect((await checks(words)).found.map(([check, , kid]) => [check, kid])).toEqual([
      ["unusable_key", "ed"],
      ["published_secret", "s"],
    ]);
  });

  test("more keys than a configuration can have are a finding", async () => {
    const many = Array.from({ length: 65 }, (_, i) => ({ ...keys.es256.jwk, kid: `k${i}` }));
    const words = [...(await world(many.slice(0, 1))), ...(await jwks(...many))];
    expect((await checks(words)).found.at(-1)?.[0]).toBe("too_many_keys");
  });

  test("a configuration without alg is compared as the service stores it", async () => {
    const { alg, ...bare } = keys.rs256.jwk;
    expect(await checks([...(await world([bare])), ...(await jwks(keys.rs256.jwk))])).toEqual({
      code: 0,
      found: [],
    });
  });

  test("the issuer is asked with --issuer", async () => {
    const words = [...(await world([keys.es256.jwk])), "--issuer", issuer, ...local()];
    expect((await checks(words)).found.map(([check]) => check)).toEqual(["missing_key", "stale_key"]);
  });

  test("of several configurations one must be named, by id or title", async () => {
    const second = {
      id: id.replace("5", "6"),
      title: "Mobile",
      token_sources: [source],
      credentials: { keys: [keys.es256.jwk] },
    };
    const words = [...(await world([keys.rs256.jwk], [second])), ...(await jwks(keys.es256.jwk))];
    const { code, err } = await edgeproof(words);
    expect(code).toBe(2);
    expect(err).toContain("has 2 configurations");
    expect(err).toContain("(Mobile)");
    expect((await checks([...words, "--config", "Mobile"])).code).toBe(0);
    expect((await checks([...words, "--config", id.toUpperCase()])).code).toBe(1);
    expect((await edgeproof([...words, "--config", "Web2"])).err).toContain("found 0 with `Web2`");
  });

  test("--format junit has one test case for the configuration", async () => {
    const words = [...(await world([])), ...(await jwks(keys.rs256.jwk))];
    const { out } = await edgeproof([...words, "--format", "junit"]);
    expect(out).toContain(`keys of configuration Web (${id})`);
    expect(out).toContain("missing_key");
  });

  test("a world is required", async () => {
    expect((await edgeproof(["keys", "check"])).err).toContain("`file` is missing: pass at least one file");
    expect(await readFile(at("ca.pem"), "utf8")).toContain("BEGIN CERTIFICATE");
  });
});
