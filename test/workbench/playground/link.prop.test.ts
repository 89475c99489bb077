/** The links of the playground: a law for all states, and hostile fragments. */
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  decodeState,
  encodeState,
  maxFragmentLength,
  type PlaygroundState,
} from "../../../web/src/playground/link.ts";
import { tabIds } from "../../../web/src/playground/tabs/tab-ids.ts";
import { withoutSecrets } from "../../../web/src/playground/without-secrets.ts";

const text = fc.oneof(fc.string(), fc.string({ unit: "grapheme", maxLength: 200 }));
const request = fc.record(
  {
    method: text,
    url: text,
    headers: text,
    ip: text,
    body: text,
    challengePassed: fc.boolean(),
    fields: fc.dictionary(text, text),
  },
  { requiredKeys: ["method", "url", "headers"] },
);
const tabs = {
  tab: fc.constantFrom(...tabIds),
  application: fc.record({ text, facts: text }),
  names: fc.record({
    patterns: text,
    names: text,
    mode: text,
    confusables: fc.boolean(),
    transpositions: fc.boolean(),
    separators: fc.boolean(),
  }),
};
const ownKeys = {
  keys: fc.array(fc.record({ alg: text, kid: text, jwk: text }), { maxLength: 8 }),
  claims: fc.record({ sub: text, iss: text, aud: text, exp: text, nbf: text, others: text }),
};
const states: fc.Arbitrary<PlaygroundState> = fc.record(
  { rules: text, before: text, zone: text, request, ...tabs, ...ownKeys },
  { requiredKeys: ["rules", "before", "request"] },
);

const fragmentOf = (bytes: string | Buffer) => `#v1=${deflateRawSync(bytes).toString("base64url")}`;
const empty = { rules: "", before: "", request: { method: "GET", url: "", headers: "" } };

const claims = { sub: "", iss: "", aud: "", exp: "", nbf: "", others: "" };
const inRequest = (members: object) => ({ ...empty, request: { ...empty.request, ...members } });

test("a decoded link is the state that was encoded", async () => {
  await fc.assert(
    fc.asyncProperty(states, async (state) => {
      expect(await decodeState(await encodeState(state))).toEqual(state);
    }),
    { numRuns: 50 },
  );
});

test("a link is deflated JSON: another implementation writes one that is read", async () => {
  expect(await decodeState(fragmentOf(JSON.stringify({ ...empty, other: 1 })))).toEqual(empty);
});

test("a browser without CompressionStream is a sentence that names the file", async () => {
  vi.stubGlobal("CompressionStream", undefined);
  await expect(encodeState(empty)).rejects.toThrow(/CompressionStream; save the state as a file/);
  await expect(decodeState(fragmentOf("{}"))).rejects.toThrow(RangeError);
  vi.unstubAllGlobals();
});

describe("a hostile fragment is rejected with a sentence", () => {
  test.each<readonly [string, string, RegExp]>([
    ["nothing", "", /must begin with `#v1=`/],
    ["another fragment", "#main", /must begin with `#v1=`/],
    ["a later version", "#v2=AAAA", /state of version 2; this page reads version 1/],
    ["no data", "#v1=", /not base64url/],
    ["other characters", "#v1=AA*A", /not base64url/],
    ["an impossible length", "#v1=AAAAA", /not base64url/],
    ["bytes that cannot be inflated", "#v1=_____w", /cannot be inflated/],
    ["bytes that are not UTF-8", fragmentOf(Buffer.from([0xff, 0xfe])), /cannot be inflated to text/],
    ["a text that is not JSON", fragmentOf("{"), /not JSON/],
    ["null", fragmentOf("null"), /`rules` must be a string/],
    ["an array", fragmentOf("[]"), /`rules` must be a string/],
    ["a member of another type", fragmentOf('{"rules":1}'), /`rules` must be a string/],
    [
      "a request of another type",
      fragmentOf('{"rules":"","before":"","request":[]}'),
      /`method` must be a string/,
    ],
    ...(
      [
        ["zone", 1, /`zone` must be a string/],
        ["ip", ["192.0.2.1"], /`ip` must be a string/],
        ["body", null, /`body` must be a string/],
        ["challengePassed", "yes", /`challengePassed` must be true or false/],
        ["fields", [], /`fields` must be an object of strings/],
        ["fields", { a: { b: 1 } }, /`fields` must be an object of strings/],
      ] as const
    ).map(([name, value, message]): [string, string, RegExp] => {
      const state = name === "zone" ? { ...empty, zone: value } : inRequest({ [name]: value });
      return [
        `${name} of another type (${JSON.stringify(value)})`,
        fragmentOf(JSON.stringify(state)),
        message,
      ];
    }),
    ...(
      [
        ["keys", {}, /`keys` must be an array of at most 8 keys/],
        ["keys", Array.from({ length: 9 }, () => ({ alg: "", kid: "", jwk: "" })), /at most 8 keys/],
        ["keys", [null], /`alg` must be a string/],
        ["keys", [{ alg: "ES256", kid: "k", jwk: { d: 1 } }], /`jwk` must be a string/],
        ["claims", [], /`sub` must be a string/],
        ["claims", { ...claims, others: {} }, /`others` must be a string/],
        ["tab", "pictures", /`tab` must be one of `rules`, `applications`/],
        ["tab", "__proto__", /`tab` must be one of/],
        ["tab", ["rules"], /`tab` must be one of/],
        ["application", "{}", /`text` must be a string/],
        ["application", { text: "" }, /`facts` must be a string/],
        ["application", null, /`text` must be a string/],
        ["names", [], /`patterns` must be a string/],
        ["names", { patterns: "", names: {}, mode: "" }, /`names` must be a string/],
        [
          "names",
          { patterns: "", names: "", mode: "", confusables: "yes" },
          /`confusables` must be true or false/,
        ],
      ] as const
    ).map(
      ([name, value, message]) =>
        [
          `\`${name}\` is ${JSON.stringify(value)}`,
          fragmentOf(JSON.stringify({ ...empty, [name]: value })),
          message,
        ] as const,
    ),
    ["an inherited member", fragmentOf('{"__proto__":{"rules":"","before":""}}'), /`rules` must be a string/],
    ["too many characters", `#v1=${"A".repeat(maxFragmentLength)}`, /must have at most 32768/],
    ["20 MB in 20 kB", fragmentOf(Buffer.alloc(20_000_000, " ")), /larger than 1048576 bytes/],
  ])("%s", async (_name, fragment, message) => {
    await expect(decodeState(fragment)).rejects.toThrow(message);
    await expect(decodeState(fragment)).rejects.toThrow(RangeError);
  });
});

describe("without secrets", () => {
  const jwt = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl";
  const secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0";
  test("tokens are left out of headers, addresses and rules, and other headers stay", () => {
    const headers = `accept: text/html\nAuthorization: Basic YTpi\ncookie: a=b\nx-partner-token: opaque\nx-jwt: ${jwt}`;
    const state = {
      rules: `// ${jwt}`,
      before: jwt,
      request: { method: "GET", url: `https://a.example/?t=${jwt}`, headers },
    };
    const clean = withoutSecrets(state);
    expect(JSON.stringify(clean)).not.toMatch(/eyJ|YTpi|a=b|opaque/);
    expect(clean.request.headers).toBe("accept: text/html");
  });

  test("tokens are left out of the body and the fields of custom rules, and the other members stay", () => {
    const members = { ip: "192.0.2.1", challengePassed: true };
    const given = { ...members, body: `a=${jwt}`, fields: { "cf.waf.score": jwt, "ip.src.country": "DE" } };
    const clean = withoutSecrets({ ...inRequest(given), zone: "z1" });
    expect(JSON.stringify(clean)).not.toMatch(/eyJ/);
    expect(clean).toMatchObject({ zone: "z1", request: { ...members, fields: { "ip.src.country": "DE" } } });
  });

  test("keys that were made on the page are left out, and tokens in claims", () => {
    const given = { ...empty, keys: [{ alg: "ES256", kid: "k", jwk: `{"d":"${secret}"}` }] };
    const clean = withoutSecrets({ ...given, claims: { ...claims, others: `{"act": "${jwt}"}` } });
    expect(clean).toEqual({ ...empty, claims: { ...claims, others: '{"act": "token-left-out"}' } });
  });

  test("private members of keys are left out, and what is left is JSON", () => {
    const key = { kty: "EC", d: secret, x: secret, y: secret };
    const last = { kty: "EC", x: secret, d: secret };
    const { rules } = withoutSecrets({
      ...empty,
      rules: JSON.stringify([key, last, { d: secret, x: "1" }], null, 1),
    });
    expect(JSON.parse(rules)).toEqual([
      { kty: "EC", x: secret, y: secret },
      { kty: "EC", x: secret },
      { x: "1" },
    ]);
    const pem = `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`;
    expect(withoutSecrets({ ...empty, before: `a ${pem} b` }).before).toBe("a  b");
  });
});
