/** Small valid input files of every format that a command reads, with secrets that no output may show. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { mintKey } from "edgeproof/testing";
import { drawPng } from "../../../src/testing/pictures/drawing.ts";
import { pngPicture } from "../../../src/testing/pictures/picture-samples.ts";

/** In place of every secret of the inputs. */
export const secret = "hunter2-hunter2";

const config = "51231d16-01f1-48e3-93f8-91c99e81288e";
const host = "api.example.com";

const app = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
};

function worldOf(jwk: unknown, expression: string) {
  const selector = { include: [{ host: [host] }] };
  return {
    profile: "spec",
    accounts: [
      {
        id: "a1",
        name: "Ours",
        brand: { queries: [{ tag: "ours", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] }] },
        images: {
          signing_keys: [{ name: "default", value: secret }],
          variants: [{ id: "small", options: { fit: "cover", width: 9, height: 9, metadata: "none" } }],
        },
      },
    ],
    zones: [
      {
        id: "z1",
        account_id: "a1",
        name: "example.com",
        token_validation: {
          operations: [{ operation_id: "o1", method: "GET", host, endpoint: "/orders/{var1}" }],
          configs: [
            {
              id: config,
              token_sources: ['http.request.headers["authorization"][0]'],
              credentials: { keys: [jwk] },
            },
          ],
          rules: [{ title: "signed", action: "block", expression, selector }],
        },
        proxy: { applications: [app] },
      },
    ],
    api_tokens: [{ token: secret, permissions: ["token_validation:read"], accounts: ["a1"] }],
  };
}

const own = (name: string) => readFileSync(`fixtures/own-configuration/${name}`);

/** The files by their names. */
export async function validInputs(): Promise<Readonly<Record<string, Buffer>>> {
  const { jwk } = await mintKey("ES256");
  const valid = `is_jwt_valid("${config}")`;
  const url = `https://${host}/orders/1`;
  const world = worldOf(jwk, valid);
  const json = {
    "world.json": world,
    "other.json": worldOf(jwk, `is_jwt_present("${config}")`),
    "requests.json": [
      {
        name: "one",
        url,
        headers: { authorization: "Bearer x" },
        expect: "block",
        now: "2026-01-31T12:00:00Z",
      },
      { url, method: "POST", headers: [["a", "b"]], token: { config, state: "valid" } },
    ],
    "request.json": { url },
    "apps.json": [app, { ...app, protocol: "udp/1-5", tls: "off" }],
    "jwks.json": { keys: [jwk, { ...jwk, kid: "private", d: secret }] },
    "changes.json": [{ zone: "z1", from: "allow", to: "block" }],
    "variants.json": { small: { fit: "cover", width: 9, height: 9 } },
    "shot.png.json": {
      domain: "paypa1.com",
      registrar: "r",
      url_scan_id: "u",
      matched_at: "2026-01-31T12:00:00Z",
    },
  };
  const texts = {
    "world.yaml": `zones:\n  - id: z1\n    name: example.com\n    account_id: a1\n    token_validation: { rules: [], configs: [] }\napi_tokens:\n  - token: ${secret}\n    permissions: []\n`,
    "apps.jsonc": `// applications\n[${JSON.stringify(app)},]\n`,
    "traffic.txt": `curl '${url}?token=${secret}' -H 'authorization: Bearer ${secret}' -X POST\ncurl ${url} -u me:${secret}\n`,
    "names.txt": "paypa1.com\nnot a name\nhttps://secure-paypal.net/x\n*.xn--pypal-4ve.com\n",
    "names.csv": 'id,domain\n1,paypa1.com\n2,"pay""pal.com"\n',
    "observed.jsonl": '{"domain":"paypa1.com","first_seen":"2026-01-31T12:00:00Z"}\npaypal.net\n',
    "words.txt": "login\nsecure\n",
    "key.txt": `${secret}\n`,
    "keys.pem":
      "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n",
  };
  const printed = Object.entries(json).map(([name, value]) => [name, Buffer.from(JSON.stringify(value))]);
  const written = Object.entries(texts).map(([name, value]) => [name, Buffer.from(value)]);
  return {
    ...Object.fromEntries([...printed, ...written]),
    "traffic.har": readFileSync("fixtures/traffic/traffic.har"),
    "edge.ndjson.gz": gzipSync(readFileSync("fixtures/traffic/http_requests.ndjson")),
    "shop.yaml": readFileSync("fixtures/openapi/shop.yaml"),
    "plan.json": own("plan-v5-modules.json"),
    "raw.tfstate": own("raw-state.tfstate"),
    "state.json": own("show-state-v5.json"),
    "rules.json": own("api-token-rules.json"),
    "configs.json": own("api-token-configs.json"),
    "logo.png": Buffer.from(drawPng((x, y) => x < y)),
    "shot.png": Buffer.from(pngPicture({ width: 20, height: 20, color: [200, 30, 30] })),
    "moving.gif": readFileSync("fixtures/images/animated-gifsicle.gif"),
    "drawing.svg": Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>',
    ),
  };
}
