/** `onAnswer` and `onVerdict`: the records, that they have no secrets, and that they disturb nothing. */
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openVerdictLog } from "../../src/cli/output/verdict-log.ts";
import {
  type AnswerRecord,
  createEdge,
  type EdgeOptions,
  type VerdictRecord,
} from "../../src/entries/index.ts";
import type { SimulatedRequest } from "../../src/entries/tokens.ts";
import { mintKey, mintToken } from "../../src/testing/tokens/mint.ts";
import { jsonOf } from "../support/client.ts";
import { configBody, ruleBody } from "../support/keys.ts";

const now = Date.UTC(2026, 0, 31, 12);
const key = await mintKey("ES256", "k1");
const base = "https://edge.test/client/v4";
const host = "https://api.example.com";

/** A zone whose configurations find tokens in a header, a cookie and another header. */
async function edgeWith(options: EdgeOptions) {
  const edge = createEdge({ clock: () => now, ...options });
  const send = (method: string, path: string, body?: unknown) =>
    edge.fetch(
      new Request(path.startsWith("/") ? `${base}${path}` : path, {
        method,
        headers: { authorization: "Bearer api-token-1234567890", "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  const ids: string[] = [];
  for (const source of ['headers["authorization"][0]', 'cookies["session"][0]', 'headers["x-token"][0]']) {
    const body = { ...configBody([key]), title: source, token_sources: [`http.request.${source}`] };
    ids.push((await jsonOf(await send("POST", "/zones/z1/token_validation/config", body))).result.id);
  }
  const expression = ids.map((id) => `is_jwt_valid("${id}")`).join(" or ");
  await send("POST", "/zones/z1/token_validation/rules", ruleBody(expression));
  return { edge, send, ids };
}

async function verdictsOf(requests: readonly SimulatedRequest[]) {
  const records: VerdictRecord[] = [];
  const { edge, ids } = await edgeWith({ onVerdict: (record) => records.push(record) });
  for (const request of requests) await edge.tokens.evaluate("z1", request);
  return { records, ids };
}

describe("onVerdict", () => {
  test("the record has request, decoded token and verdict, without signature and values of headers", async () => {
    const token = await mintToken(key, { sub: "ada", exp: now / 1000 - 5 });
    const { records, ids } = await verdictsOf([
      {
        method: "post",
        url: `${host}/a?x=1`,
        headers: [
          ["Authorization", `Bearer ${token}`],
          ["X-B", "v"],
          ["x-b", "w"],
        ],
      },
    ]);
    expect(records).toHaveLength(1);
    const [record] = records as [VerdictRecord];
    expect(record).toMatchObject({
      time: "2026-01-31T12:00:00.000000Z",
      zone: "z1",
      method: "POST",
      url: `${host}/a?x=1`,
      headers: ["authorization", "x-b"],
      tokens: [{ configId: ids[0], header: { alg: "ES256", kid: "k1" }, claims: { sub: "ada" } }],
      verdict: { action: "block", outcome: "fired", trace: { tokens: [{ reason: "expired" }, {}, {}] } },
    });
    expect(record.verdict.trace.expressions[0]?.tree).toMatchObject({ operator: "or", value: false });
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });

  test("compiled zones report their verdicts too", async () => {
    const records: VerdictRecord[] = [];
    const { edge } = await edgeWith({ onVerdict: (record) => records.push(record) });
    const zone = await edge.tokens.compile("z1");
    zone.evaluateSync({ method: "GET", url: host });
    await zone.evaluate(new Request(host, { headers: { accept: "*/*" } }));
    expect(records.map(({ headers }) => headers)).toEqual([[], ["accept"]]);
  });

  test("a host and a path that only look similar to tokens stay as they are", async () => {
    const url = `${host}/monkeybusiness.html/key-handling.v1?page=eyewitness.example`;
    const { records } = await verdictsOf([{ method: "GET", url }]);
    expect(records[0]?.url).toBe(url);
  });

  test("a payload of any depth makes a record", async () => {
    const deep = `${'{"a":'.repeat(1500)}1${"}".repeat(1500)}`;
    const token = `${btoa('{"alg":"none"}')}.${Buffer.from(deep).toString("base64url")}.c2ln`;
    const { records } = await verdictsOf([{ method: "GET", url: host, headers: { "x-token": token } }]);
    expect(JSON.stringify(records[0]?.tokens)).toContain('"a":"***"');
  });
});

describe("onAnswer", () => {
  test("the record has method, endpoint, path template, status, codes and time by the clock", async () => {
    const answers: AnswerRecord[] = [];
    let at = now;
    const clock = () => {
      at += 3;
      return at;
    };
    const edge = createEdge({ onAnswer: (answer) => answers.push(answer), clock, profile: "provider" });
    const send = async (method: string, path: string, authorization = "Bearer t") => {
      await edge.fetch(new Request(`${base}${path}`, { method, headers: { authorization } }));
    };
    await send("GET", "/zones/secret-zone/token_validation/rules?page=1");
    await send("DELETE", "/zones/z/token_validation/rules/00000000-0000-4000-8000-000000000000");
    await send("HEAD", "/zones/z/token_validation/rules?page=0");
    await send("GET", "/nowhere/secret");
    await send("PUT", "/zones/z/token_validation/rules");
    await send("GET", "/accounts/a/cloudforce-one/v2/brand-protection/logo/queries");
    expect(answers.map(({ method, endpoint, status, codes }) => [method, endpoint, status, codes])).toEqual([
      ["GET", "tokens.rules.list", 200, []],
      ["DELETE", "tokens.rules.delete", 404, [10404]],
      ["HEAD", "tokens.rules.list", 400, [10400]],
      ["GET", null, 404, [7003]],
      ["PUT", null, 405, [10405]],
      ["GET", "brand.logos.queries.list", 200, []],
    ]);
    expect(answers[0]?.path).toBe("/zones/{zone_id}/token_validation/rules");
    expect(answers[5]?.path).toBe("/accounts/{account_id}/cloudforce-one/v2/brand-protection/logo/queries");
    for (const { ms, time, traceId } of answers) {
      expect(ms % 3).toBe(0);
      expect(ms).toBeGreaterThan(0);
      expect([time.slice(0, 16), traceId.length]).toEqual(["2026-01-31T12:00", 16]);
    }
    expect(JSON.stringify(answers)).not.toContain("secret");
  });
});

test("observers that throw, reject or never finish change neither answers nor verdicts", async () => {
  const results = [];
  for (const observer of [
    undefined,
    () => {
      throw new Error("out of order");
    },
    () => Promise.reject(new Error("out of order")),
    () => new Promise(() => undefined),
  ]) {
    const { edge, send } = await edgeWith(observer ? { onAnswer: observer, onVerdict: observer } : {});
    const answer = await (await send("GET", "/zones/z1/token_validation/config?page=0")).json();
    const { action } = await edge.tokens.evaluate("z1", { method: "GET", url: host });
    results.push(JSON.stringify([answer, action]));
  }
  expect(new Set(results).size).toBe(1);
});

/** Everything that a request of a zone can carry its secrets in. */
async function secrets(): Promise<{
  readonly requests: readonly Partial<SimulatedRequest>[];
  readonly values: readonly string[];
}> {
  const valid = await mintToken(key, { sub: "ada", exp: now / 1000 + 60 });
  const expired = await mintToken(key, { sub: "eve", exp: 1 });
  const nested = await mintToken(key, { inner: valid, [expired]: 1, list: [`Bearer ${expired}`] });
  const other = await mintKey("ES256", "private-key-of-a-client");
  const withKey = await mintToken(
    key,
    {},
    { header: { jwk: other.jwk as never, x5c: ["MIIB-certificate"] } },
  );
  const upload = "upload-secret-0123456789";
  return {
    requests: [
      ...[
        valid,
        expired,
        nested,
        withKey,
        `${valid}x`,
        `${valid}.extra.part`,
        "opaque-session-token-42",
        "a.b",
        "..",
        "eyJhbGciOiJFUzI1NiJ9.broken",
      ].flatMap((token): Partial<SimulatedRequest>[] => [
        { headers: { Authorization: `Bearer ${token}` } },
        { headers: { cookie: `theme=dark; session=${token}; other=cookie-secret-77` } },
        {
          headers: [
            ["X-Token", token],
            ["x-api-key", "api-key-secret-78"],
          ] as [string, string][],
        },
        { url: `${host}/cb?access_token=${token}&state=1` },
        { url: `${host}/cb?t=${token}`, headers: { "x-token": token } },
        { url: `${host}/cb?jwt=${encodeURIComponent(token)}`, headers: { "x-token": token } },
        { url: `${host}/verify/${token}/now`, headers: { "x-token": token } },
        { url: `${host}/cb#id_token=${token}` },
      ]),
      { url: `${host}/img/a.png?exp=1&sig=5ecc0ffee5ecc0ffee` },
      { url: `${host}/img/a.png?%73ig=5ecc0ffee5ecc0ffee` },
      { url: `${host}/cdn-cgi/imageupload/hash/${upload}` },
      { url: `${host}/cdn-cgi%2Fimageupload/hash/${upload}?x=1` },
      { url: `https://user:password-secret-79@api.example.com/` },
      { url: `${host}/?code=authorization-code-80&session_id=session-secret-81&password=password-secret-82` },
      { headers: { "proxy-authorization": "Basic basic-secret-83", "set-cookie": "a=cookie-secret-84" } },
    ],
    values: [
      ...[valid, expired, nested, withKey].flatMap((token) => [token, token.split(".")[2] as string]),
      ...["opaque-session-token-42", "eyJhbGciOiJFUzI1NiJ9.broken"],
      "cookie-secret-77",
      "api-key-secret-78",
      "5ecc0ffee5ecc0ffee",
      upload,
      ...["password-secret-79", "authorization-code-80", "session-secret-81", "password-secret-82"],
      ...["basic-secret-83", "cookie-secret-84", "MIIB-certificate", "private-key-of-a-client"],
      "api-token-1234567890",
      String((other.jwk as unknown as { x: string }).x),
    ],
  };
}

test("no output has a secret that was sent: tokens, cookies, keys, upload addresses, signatures", async () => {
  const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const file = join(folder, "run.ndjson");
  const err: string[] = [];
  const log = openVerdictLog(file, { stderr: { write: (text: string) => err.push(text) } as never });
  try {
    const answers: AnswerRecord[] = [];
    const { edge, send, ids } = await edgeWith({
      onAnswer: (answer) => answers.push(answer),
      ...(log && { onVerdict: log.write }),
    });
    // Rules of both kinds that compare what may be a secret.
    const compared = [
      'headers["x-api-key"][0]',
      'headers["cookie"][0]',
      'headers["authorization"][0]',
      "uri",
    ];
    const expression = compared.map((name) => `http.request.${name} contains "none"`).join(" or ");
    await send("POST", "/zones/z1/token_validation/rules", { ...ruleBody(expression), action: "log" });
    const custom = { rules: [{ action: "log", expression: `not (${expression})` }] };
    await send("PUT", "/zones/z1/rulesets/phases/http_request_firewall_custom/entrypoint", custom);
    const { requests, values } = await secrets();
    for (const request of requests)
      await edge.tokens.evaluate("z1", { method: "GET", url: `${host}/`, ...request });
    const { values: keyMembers, body } = await privateKey();
    await send("PUT", `/zones/z1/token_validation/config/${ids[0]}/credentials`, body);
    await send("GET", `/zones/z1/token_validation/config?sig=5ecc0ffee5ecc0ffee`);
    log?.close();
    const written = await readFile(file, "utf8");
    const lines = written.trimEnd().split("\n");
    expect(lines).toHaveLength(requests.length);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ zone: "z1", method: "GET" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const output = `${written}${err.join("")}${JSON.stringify(answers)}`;
    for (const value of [...values, ...keyMembers]) expect(output.includes(value) ? value : "").toBe("");
    // The records explain tokens and rules of both kinds nevertheless.
    expect(written).toContain('"sub":"ada"');
    for (const { verdict } of lines.map((line) => JSON.parse(line) as VerdictRecord))
      expect([verdict.trace.expressions.length > 0, verdict.custom?.expressions.length]).toEqual([true, 1]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function privateKey() {
  const { generateKeyPair, exportJWK } = await import("jose");
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), alg: "ES256", kid: "p1" };
  return { body: { keys: [jwk] }, values: [jwk.d as string] };
}
