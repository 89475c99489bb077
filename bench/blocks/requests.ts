/** A small and a maximal request for each endpoint. */
import type { Edge } from "edgeproof";
import { mintKey } from "edgeproof/testing";
import sharp from "sharp";
import type { EndpointId } from "../../src/http/documents/documents.ts";
import { idOfItem, operationId } from "../../src/service/tokens/rulesets/write-lists.ts";

/** Makes a new request each time: a body can be read once. */
export type MakeRequest = () => Request;

/** The requests of an endpoint. */
export interface Load {
  readonly small: MakeRequest;
  /** With the largest body, or on the fullest zone or account, that the limits allow. */
  readonly maximal: MakeRequest;
  /** A list of rows is as full as it is made here, below the limit. */
  readonly note?: string;
}

const origin = "https://edge.test";
const authorization = "Bearer t";
type BodyOf = () => unknown;

function request(method: string, path: string, body?: BodyOf): MakeRequest {
  // Made before the measurement: the client's own work is not the server's.
  const isBase =
    path.startsWith("/") &&
    !path.startsWith("/cdn-cgi") &&
    !["/health", "/livez", "/readyz", "/transform", "/info", "//openapi.json"].includes(path);
  const url = new URL(`${isBase ? "/client/v4" : ""}${path.replace(/^\/\//, "/")}`, origin).href;
  return () => {
    const value = body?.();
    const isRaw = value instanceof FormData || typeof value === "string";
    const headers = new Headers({ authorization });
    if (value !== undefined && !(value instanceof FormData))
      headers.set("content-type", isRaw ? "text/plain" : "application/json");
    return new Request(url, {
      method,
      headers,
      ...(value !== undefined && { body: isRaw ? (value as FormData | string) : JSON.stringify(value) }),
    });
  };
}

const get = (path: string) => request("GET", path);

let count = 0;
/** A new name each time. */
const fresh = (word: string) => `${word}${++count}`;

/** Sizes of the full zone and account. */
export interface Sizes {
  readonly rules: number;
  readonly queries: number;
  /** Queries that find every twentieth name. */
  readonly findingQueries: number;
  readonly names: number;
  readonly logos: number;
  readonly pictures: number;
  readonly images: number;
}

const full = { rules: 7_000, queries: 100, names: 100_000, logos: 50, pictures: 60, images: 1_000 };

/** The sizes by store. A file takes many times as long for a match as memory does: with fewer of them, the run ends. */
export const sizesByStore = {
  memory: { ...full, findingQueries: 100 },
  sqlite: { ...full, findingQueries: 10 },
} as const satisfies Record<string, Sizes>;

/** The pictures of the zones' origins, by path. */
const sources = new Map<string, Uint8Array>();

/** Answers as the origins of the zones. */
export function imageSource(request: Request): Uint8Array | undefined {
  return sources.get(new URL(request.url).pathname);
}

function form(parts: Readonly<Record<string, string | Uint8Array>>): BodyOf {
  return () => {
    const data = new FormData();
    for (const [name, value] of Object.entries(parts)) {
      const [key = name] = name.split("#");
      if (typeof value === "string") data.append(key, value);
      else data.append(key, new Blob([Buffer.from(value)]), "a.png");
    }
    return data;
  };
}

/** @param noise whether it has stripes and noise instead of one color */
export function picture(width: number, height: number, noise: boolean): Promise<Buffer> {
  if (!noise)
    return sharp({ create: { width, height, channels: 3, background: "#468" } })
      .png()
      .toBuffer();
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < pixels.length; i++) pixels[i] = ((i >> 7) * 2654435761 + (i % 13) * 40) >>> 24;
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 60 })
    .toBuffer();
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function send(edge: Edge, make: MakeRequest): Promise<any> {
  const response = await edge.fetch(make());
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${make().method} ${make().url}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/**
 * The requests of all endpoints: an endpoint without requests does not compile. Fills the edge for them: zone `z1` and account
 * `a1` as full as the limits allow, `z0` and `a0` with one of each.
 */
export async function loadsOf(edge: Edge, sizes: Sizes): Promise<Readonly<Record<EndpointId, Load>>> {
  const { jwk } = await mintKey("ES256");
  const config = {
    title: "t",
    description: "d",
    token_type: "JWT",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [jwk] },
  };
  const manyKeys = async (n: number) => {
    const keys = [];
    for (let i = 0; i < n; i++) keys.push({ ...(await mintKey("ES256")).jwk, kid: `k${i}` });
    return { keys };
  };
  const small = await picture(64, 64, false);
  const middle = await picture(640, 400, true);
  const large = await sharp(middle).resize(5_000, 5_000, { fit: "fill" }).jpeg({ quality: 50 }).toBuffer();
  sources.set("/small.png", small).set("/large.jpeg", large);
  const setting = (n: string, name: string) => `/zones/z${n}/settings/${name}`;
  const hosts = Array.from({ length: 300 }, (_, i) => `*.host-${i}.example/photos`).join(",");
  const base64 = (bytes: Buffer) => bytes.toString("base64");
  const zone = (id: string) => `/zones/${id}/token_validation`;
  const intel = (id: string) => `/accounts/${id}/intel/v2/brand-protection`;
  const images = (id: string, v = 1) => `/accounts/${id}/images/v${v}`;
  const apps = (id: string) => `/zones/${id}/app_service/apps`;
  const app = (zone: string) => () => ({
    dns: { type: "CNAME", name: `${fresh("n")}.${zone === "z1" ? "example.com" : "example.org"}` },
    origin_direct: ["tcp://203.0.113.9:22"],
    protocol: `tcp/${(count % 60_000) + 1}`,
  });
  const configs: Record<string, string> = {};
  for (const id of ["z0", "z1"])
    configs[id] = (
      await send(
        edge,
        request("POST", `${zone(id)}/config`, () => config),
      )
    ).result.id;
  const unused: Record<string, string> = {};
  for (const id of ["z0", "z1"])
    unused[id] = (
      await send(
        edge,
        request("POST", `${zone(id)}/config`, () => config),
      )
    ).result.id;
  const rule = (id: string, title = fresh("rule ")) => ({
    title,
    description: "d",
    action: "log",
    enabled: true,
    expression: `is_jwt_valid("${configs[id]}")`,
    selector: { include: [{ host: ["example.com"] }] },
  });
  const rules: Record<string, string[]> = { z0: [], z1: [] };
  const addRules = async (id: string, n: number) => {
    const made = await send(
      edge,
      request("POST", `${zone(id)}/rules/bulk`, () => Array.from({ length: n }, () => rule(id))),
    );
    rules[id]!.push(...made.result.map((each: { id: string }) => each.id));
  };
  await addRules("z0", 3);
  for (let n = 0; n < sizes.rules; n += 1_000) await addRules("z1", 1_000);
  const query = (patterns: number, finds = true) => ({
    tag: fresh("tag"),
    string_matches: Array.from({ length: patterns }, (_, i) => ({
      pattern: i === 0 && finds ? "paypal" : `brandname${fresh("x")}`,
      max_edit_distance: 1,
    })),
  });
  const name = (i: number) => (i % 20 === 0 ? `paypal-${i}.example.com` : `name-${i}.example.net`);
  const lines = (n: number, from = 0) => Array.from({ length: n }, (_, i) => name(from + i)).join("\n");
  const observed = (id: string) => `/accounts/${id}/edgeproof/observations`;
  await send(
    edge,
    request("POST", `${intel("a0")}/domain/queries`, () => query(1)),
  );
  for (let i = 0; i < sizes.queries; i++)
    await send(
      edge,
      request("POST", `${intel("a1")}/domain/queries`, () => query(100, i < sizes.findingQueries)),
    );
  await send(
    edge,
    request("POST", `${observed("a0")}/names`, () => lines(20)),
  );
  await send(
    edge,
    request("POST", `${observed("a1")}/names`, () => lines(sizes.names)),
  );
  const logo = (bytes: Buffer) => () => ({
    tag: fresh("logo"),
    similarity_threshold: 0.4,
    image_data: base64(bytes),
  });
  const shown = await picture(120, 60, true);
  await send(edge, request("POST", `${intel("a0")}/logo/queries`, logo(shown)));
  for (let i = 0; i < sizes.logos; i++) {
    const drawn = await picture(100 + i, 60 + (i % 30), true);
    await send(edge, request("POST", `${intel("a1")}/logo/queries`, logo(drawn)));
  }
  const facts = () => JSON.stringify({ domain: `${fresh("d")}.example` });
  await send(edge, request("POST", `${observed("a0")}/pictures`, form({ facts: facts(), picture: shown })));
  for (let i = 0; i < sizes.pictures; i++) {
    const page = await picture(300 + i, 200, true);
    await send(edge, request("POST", `${observed("a1")}/pictures`, form({ facts: facts(), picture: page })));
  }
  const upload = (file: Buffer, id = fresh("image-")) => form({ file, id })();
  let delivery = "";
  for (const id of ["a0", "a1"])
    delivery = new URL(
      (
        await send(
          edge,
          request("POST", images(id), () => upload(middle, "one")),
        )
      ).result.variants[0],
    ).pathname;
  await send(
    edge,
    request("POST", images("a1"), () => upload(large, "large")),
  );
  for (let i = 0; i < sizes.images; i++)
    await send(
      edge,
      request("POST", images("a1"), () => upload(small)),
    );
  const variant = () => ({
    id: fresh("v"),
    options: { fit: "cover", width: 100, height: 100, metadata: "none" },
  });
  for (let i = 0; i < 90; i++) await send(edge, request("POST", `${images("a1")}/variants`, variant));
  await send(
    edge,
    request("POST", `${images("a0")}/variants`, () => ({ ...variant(), id: "vv" })),
  );
  await send(
    edge,
    request("POST", `${images("a1")}/variants`, () => ({ ...variant(), id: "vv" })),
  );
  const appIds: Record<string, string> = {};
  for (const id of ["z0", "z1"])
    for (let i = 0; i < (id === "z1" ? 300 : 1); i++)
      appIds[id] = (await send(edge, request("POST", apps(id), app(id)))).result.id;
  await addRulesets(edge);
  const pair = (make: (scope: "0" | "1") => MakeRequest): Load => ({ small: make("0"), maximal: make("1") });
  const matchId = (id: string) =>
    send(edge, get(`${intel(id)}/logo/matches?query_id=1&limit=1`)).then((all) => all.matches[0]?.id ?? 1);
  const logoMatches: Record<string, number> = { "0": await matchId("a0"), "1": await matchId("a1") };
  const domainId = async (id: string) =>
    (await send(edge, get(`${intel(id)}/domain/matches?query_id=1&include_domain_id=true&limit=1`)))
      .matches[0].domain_id;
  const domains: Record<string, number> = { "0": await domainId("a0"), "1": await domainId("a1") };
  const manyConfigs = await manyKeys(4);
  const longText = "x".repeat(500);
  /** A thousand of them are about as large as a body may be. */
  const longExpression = Array.from({ length: 13 }, () => `is_jwt_valid("${configs["z1"]}")`).join(" or ");
  const bulk = (n: string, make: (id: string) => unknown) =>
    rules[`z${n}`]!.slice(0, n === "1" ? 1_000 : 2).map(make);
  const draft = async (n: string) =>
    new URL(
      (await send(edge, request("POST", `${images(n, 2)}/direct_upload`, form({ metadata: "{}" })))).result
        .uploadURL,
    ).pathname;
  const filled = { small: await draft("a0"), maximal: await draft("a1") };
  const wide = JSON.stringify({ text: "y".repeat(900) });
  return {
    "zones.list": pair(() => get("/zones")),
    "zones.get": pair((n) => get(`/zones/z${n}`)),
    "zones.settings.transformations.get": pair((n) => get(setting(n, "transformations"))),
    "zones.settings.transformations.edit": pair((n) =>
      request("PATCH", setting(n, "transformations"), () => ({ value: "on" })),
    ),
    "zones.settings.transformations_allowed_origins.get": pair((n) =>
      get(setting(n, "transformations_allowed_origins")),
    ),
    "zones.settings.transformations_allowed_origins.edit": pair((n) =>
      request("PATCH", setting(n, "transformations_allowed_origins"), () => ({
        value: n === "1" ? hosts : "images.example.net",
      })),
    ),
    "zones.url_normalization.get": pair((n) => get(`/zones/z${n}/url_normalization`)),
    "zones.url_normalization.replace": pair((n) =>
      request("PUT", `/zones/z${n}/url_normalization`, () => ({ type: "cloudflare", scope: "incoming" })),
    ),
    "zones.url_normalization.reset": pair((n) => request("DELETE", `/zones/z${n}/url_normalization`)),
    "tokens.operations.list": pair((n) => get(`/zones/z${n}/api_gateway/operations?per_page=50`)),
    ...rulesetLoads("zones", "zone", pair),
    ...rulesetLoads("accounts", "account", pair),
    "lists.create": pair((n) =>
      request("POST", `/accounts/a${n}/rules/lists`, () => ({ name: fresh("list"), kind: "asn" })),
    ),
    "lists.edit": pair((n) =>
      request("PUT", `/accounts/a${n}/rules/lists/l`, () => ({ description: fresh("d") })),
    ),
    "lists.delete": pair((n) => request("DELETE", `/accounts/a${n}/rules/lists/d`)),
    "lists.items.replace": pair((n) =>
      request("PUT", `/accounts/a${n}/rules/lists/l/items`, () =>
        systems(n === "1" ? rulesetSizes.items : 1),
      ),
    ),
    "lists.items.append": pair((n) =>
      request("POST", `/accounts/a${n}/rules/lists/l/items`, () =>
        systems(n === "1" ? rulesetSizes.items : 1),
      ),
    ),
    "lists.items.remove": pair((n) =>
      request("DELETE", `/accounts/a${n}/rules/lists/l/items`, () => ({
        items: systems(n === "1" ? rulesetSizes.items : 1).map(({ asn }) => ({ id: idOfItem("l", asn) })),
      })),
    ),
    "lists.operation": pair((n) =>
      get(`/accounts/a${n}/rules/lists/bulk_operations/${operationId(`a${n}`, 0)}`),
    ),
    "lists.list": pair((n) => get(`/accounts/a${n}/rules/lists`)),
    "lists.get": pair((n) => get(`/accounts/a${n}/rules/lists/l`)),
    "lists.items": pair((n) => get(`/accounts/a${n}/rules/lists/l/items?per_page=500`)),
    "tokens.configs.list": pair((n) => get(`${zone(`z${n}`)}/config`)),
    "tokens.configs.get": pair((n) => get(`${zone(`z${n}`)}/config/${configs[`z${n}`]}`)),
    "tokens.configs.create": {
      small: request("POST", `${zone("z0")}/config`, () => config),
      maximal: request("POST", `${zone("z1")}/config`, () => ({
        ...config,
        description: longText,
        credentials: manyConfigs,
      })),
    },
    "tokens.configs.edit": pair((n) =>
      request("PATCH", `${zone(`z${n}`)}/config/${configs[`z${n}`]}`, () => ({ description: longText })),
    ),
    "tokens.configs.delete": pair((n) => request("DELETE", `${zone(`z${n}`)}/config/${unused[`z${n}`]}`)),
    "tokens.configs.credentials": {
      small: request("PUT", `${zone("z0")}/config/${configs["z0"]}/credentials`, () => config.credentials),
      maximal: request("PUT", `${zone("z1")}/config/${configs["z1"]}/credentials`, () => manyConfigs),
    },
    "tokens.configs.editCredentials": {
      small: request("PATCH", `${zone("z0")}/config/${configs["z0"]}/credentials`, () => config.credentials),
      maximal: request("PATCH", `${zone("z1")}/config/${configs["z1"]}/credentials`, () => manyConfigs),
    },
    "tokens.rules.preview": pair((n) =>
      request("POST", `${zone(`z${n}`)}/rules/preview?per_page=50`, () => rule(`z${n}`).selector),
    ),
    "tokens.rules.list": {
      small: get(`${zone("z0")}/rules`),
      maximal: get(`${zone("z1")}/rules?per_page=100&page=70`),
    },
    "tokens.rules.create": pair((n) =>
      request("POST", `${zone(`z${n}`)}/rules`, () => ({
        ...rule(`z${n}`),
        expression: Array.from(
          { length: n === "1" ? 60 : 1 },
          () => `is_jwt_valid("${configs[`z${n}`]}")`,
        ).join(" or "),
      })),
    ),
    "tokens.rules.bulkCreate": pair((n) =>
      request("POST", `${zone(`z${n}`)}/rules/bulk`, () =>
        Array.from({ length: n === "1" ? 1_000 : 1 }, () => ({
          ...rule(`z${n}`),
          ...(n === "1" && { expression: longExpression }),
        })),
      ),
    ),
    "tokens.rules.bulkEdit": pair((n) =>
      request("PATCH", `${zone(`z${n}`)}/rules/bulk`, () =>
        bulk(n, (id) => ({
          id,
          title: fresh("edited "),
          position: { index: 1 },
          ...(n === "1" && { expression: longExpression }),
        })),
      ),
    ),
    "tokens.rules.get": pair((n) => get(`${zone(`z${n}`)}/rules/${rules[`z${n}`]![0]}`)),
    "tokens.rules.edit": pair((n) =>
      request("PATCH", `${zone(`z${n}`)}/rules/${rules[`z${n}`]![0]}`, () => ({
        title: fresh("e"),
        position: { index: 1 },
      })),
    ),
    "tokens.rules.delete": pair(
      (n) => () => request("DELETE", `${zone(`z${n}`)}/rules/${rules[`z${n}`]!.shift()}`)(),
    ),
    "brand.domains.queries.list": pair((n) => get(`${intel(`a${n}`)}/domain/queries`)),
    "brand.domains.queries.create": pair((n) =>
      request("POST", `${intel(`a${n}`)}/domain/queries`, () => query(n === "1" ? 100 : 1)),
    ),
    "brand.domains.queries.edit": pair((n) =>
      request("PATCH", `${intel(`a${n}`)}/domain/queries/1`, () => ({
        string_matches: query(n === "1" ? 100 : 1).string_matches,
      })),
    ),
    "brand.domains.queries.delete": pair((n) => request("DELETE", `${intel(`a${n}`)}/domain/queries/1`)),
    "brand.domains.matches.list": {
      small: get(`${intel("a0")}/domain/matches?query_id=1`),
      maximal: get(
        `${intel("a1")}/domain/matches?query_id=${Array.from({ length: sizes.queries - 1 }, (_, i) => i + 2).join(",")}&limit=1000&offset=2000&domain_search=p`,
      ),
    },
    "brand.domains.matches.dismiss": pair((n) =>
      request("POST", `${intel(`a${n}`)}/queries/1/matches/${domains[n]}/dismiss`),
    ),
    "brand.domains.matches.undismiss": pair((n) =>
      request("POST", `${intel(`a${n}`)}/queries/1/matches/${domains[n]}/undismiss`),
    ),
    "brand.logos.queries.list": {
      small: get(`${intel("a0")}/logo/queries`),
      maximal: get(`${intel("a1")}/logo/queries?download=true`),
    },
    "brand.logos.queries.create": {
      small: request("POST", `${intel("a0")}/logo/queries`, logo(shown)),
      maximal: request("POST", `${intel("a1")}/logo/queries`, logo(large)),
      note: `${sizes.pictures} stored pictures, searched densely`,
    },
    "brand.logos.queries.delete": pair((n) => request("DELETE", `${intel(`a${n}`)}/logo/queries/1`)),
    "brand.logos.matches.list": {
      small: get(`${intel("a0")}/logo/matches?query_id=1`),
      maximal: get(`${intel("a1")}/logo/matches?query_id=2&limit=100&download=true`),
    },
    "brand.logos.matches.dismiss": pair((n) =>
      request("POST", `${intel(`a${n}`)}/logo/queries/1/matches/${logoMatches[n]}/dismiss`),
    ),
    "brand.logos.matches.undismiss": pair((n) =>
      request("POST", `${intel(`a${n}`)}/logo/queries/1/matches/${logoMatches[n]}/undismiss`),
    ),
    "brand.observations.names": {
      small: request("POST", `${observed("a0")}/names`, () => lines(10, 1e6)),
      maximal: request("POST", `${observed("a1")}/names`, () => lines(100_000, 2e6)),
    },
    "brand.observations.pictures": {
      small: request("POST", `${observed("a0")}/pictures`, form({ facts: facts(), picture: shown })),
      maximal: request("POST", `${observed("a1")}/pictures`, () =>
        form({ facts: facts(), picture: large, "facts#2": facts(), "picture#2": middle })(),
      ),
      note: `${sizes.logos} logos`,
    },
    "images.list": { small: get(images("a0")), maximal: get(`${images("a1")}?per_page=100&page=9`) },
    "images.upload": {
      small: request("POST", images("a0"), () => upload(small)),
      maximal: request("POST", images("a1"), () => upload(large)),
    },
    "images.config.get": pair((n) => get(`${images(`a${n}`)}/config`)),
    "images.config.edit": pair((n) =>
      request("PATCH", `${images(`a${n}`)}/config`, () => ({ browser_ttl: 86_400 })),
    ),
    "images.batchToken": pair((n) => get(`${images(`a${n}`)}/batch_token`)),
    "images.keys.list": pair((n) => get(`${images(`a${n}`)}/keys`)),
    "images.keys.put": pair((n) => request("PUT", `${images(`a${n}`)}/keys/k1`)),
    "images.keys.delete": pair((n) => request("DELETE", `${images(`a${n}`)}/keys/k1`)),
    "images.stats": pair((n) => get(`${images(`a${n}`)}/stats`)),
    "images.variants.list": pair((n) => get(`${images(`a${n}`)}/variants`)),
    "images.variants.create": pair((n) => request("POST", `${images(`a${n}`)}/variants`, variant)),
    "images.variants.get": pair((n) => get(`${images(`a${n}`)}/variants/vv`)),
    "images.variants.edit": pair((n) =>
      request("PATCH", `${images(`a${n}`)}/variants/vv`, () => ({
        options: { ...variant().options, width: 20 },
      })),
    ),
    "images.variants.delete": pair((n) => request("DELETE", `${images(`a${n}`)}/variants/vv`)),
    "images.blob": { small: get(`${images("a0")}/one/blob`), maximal: get(`${images("a1")}/large/blob`) },
    "images.get": pair((n) => get(`${images(`a${n}`)}/one`)),
    "images.edit": pair((n) =>
      request("PATCH", `${images(`a${n}`)}/one`, () => ({ metadata: n === "1" ? JSON.parse(wide) : {} })),
    ),
    "images.delete": {
      small: request("DELETE", `${images("a0")}/one`),
      maximal: request("DELETE", `${images("a1")}/large`),
    },
    "images.listFrom": { small: get(images("a0", 2)), maximal: get(`${images("a1", 2)}?per_page=1000`) },
    "images.drafts.create": pair((n) =>
      request("POST", `${images(`a${n}`, 2)}/direct_upload`, form({ metadata: n === "1" ? wide : "{}" })),
    ),
    "images.drafts.fill": {
      small: request("POST", filled.small, form({ file: small })),
      maximal: request("POST", filled.maximal, form({ file: large })),
    },
    "images.transform": {
      small: get("https://example.org/cdn-cgi/image/width=20/small.png"),
      maximal: get(
        "https://example.com/cdn-cgi/image/fit=cover,width=4000,height=3000,sharpen=2,format=png/large.jpeg",
      ),
    },
    "images.deliver": { small: get(delivery), maximal: get(delivery.replace("/one/", "/large/")) },
    "images.binding.transform": {
      small: request(
        "POST",
        "/transform",
        form({ image: small, transforms: "[]", output_format: "image/png" }),
      ),
      maximal: request(
        "POST",
        "/transform",
        form({ image: large, transforms: "[]", output_format: "image/webp" }),
      ),
    },
    "images.binding.info": {
      small: request("POST", "/info", form({ image: small })),
      maximal: request("POST", "/info", form({ image: large })),
    },
    "proxy.apps.list": { small: get(apps("z0")), maximal: get(`${apps("z1")}?per_page=100&page=2`) },
    "proxy.apps.get": pair((n) => get(`${apps(`z${n}`)}/${appIds[`z${n}`]}`)),
    "proxy.apps.create": pair((n) => request("POST", apps(`z${n}`), app(`z${n}`))),
    "proxy.apps.edit": pair((n) =>
      request("PATCH", `${apps(`z${n}`)}/${appIds[`z${n}`]}`, () => ({
        origin_direct: ["tcp://203.0.113.7:22"],
      })),
    ),
    "proxy.apps.replace": pair((n) => request("PUT", `${apps(`z${n}`)}/${appIds[`z${n}`]}`, app(`z${n}`))),
    "proxy.apps.delete": pair((n) => request("DELETE", `${apps(`z${n}`)}/${appIds[`z${n}`]}`)),
    health: pair(() => get("/health")),
    live: pair(() => get("/livez")),
    ready: pair(() => get("/readyz")),
    document: pair(() => get("/openapi.json")),
    "document.origin": pair(() => get("//openapi.json")),
  };
}

/** A rule with a long expression, without an id. */
function customRule(i: number) {
  const paths = Array.from({ length: 150 }, (_, k) => `"/path/${i}/${k}"`).join(" ");
  return { ref: `r${i}`, action: "block", expression: `http.request.uri.path in {${paths}}` } as const;
}

/** Rules of the full ruleset, and items of the full list. */
const rulesetSizes = { rules: 1_000, items: 10_000 } as const;

/** Stored directly: a ruleset and a list of one element, and full ones. */
async function addRulesets({ store }: Edge): Promise<void> {
  const time = "2026-01-01T00:00:00Z";
  const changed = { description: "", version: "1", last_updated: time };
  const rule = (i: number) => ({ id: `r${i}`, enabled: true, ...customRule(i), ...changed }) as const;
  const ruleset = (isFull: boolean) => ({
    sequence: 1,
    name: "default",
    phase: "http_request_firewall_custom",
    rules: Array.from({ length: isFull ? rulesetSizes.rules : 1 }, (_, i) => rule(i)),
    ...changed,
  });
  await store.write(async (tx) => {
    for (const n of [0, 1]) {
      const shared = ruleset(n === 1);
      await tx.insert("zone_rulesets", { scope: `z${n}`, id: "zone", kind: "zone", ...shared });
      await tx.insert("account_rulesets", { scope: `a${n}`, id: "account", kind: "root", ...shared });
      const unused = { ...shared, kind: "custom", sequence: 2, rules: [] } as const;
      await tx.insert("zone_rulesets", { ...unused, scope: `z${n}`, id: "zone-unused" });
      await tx.insert("account_rulesets", { ...unused, scope: `a${n}`, id: "account-unused" });
      const items = systems(n === 1 ? rulesetSizes.items : 1).map(({ asn }) => asn);
      const list = {
        scope: `a${n}`,
        id: "l",
        sequence: 1,
        name: "systems",
        kind: "asn",
        description: "",
      } as const;
      const times = { created_on: time, modified_on: time };
      await tx.insert("rule_lists", { ...list, items, ...times });
      await tx.insert("rule_lists", { ...list, id: "d", sequence: 2, name: "deleted", items, ...times });
    }
  });
}

/** Items of a list of autonomous systems. */
const systems = (count: number) => Array.from({ length: count }, (_, i) => ({ asn: 64_500 + i }));

type Pair = (make: (scope: "0" | "1") => MakeRequest) => Load;

function rulesetLoads<Owners extends "zones" | "accounts">(owners: Owners, id: string, pair: Pair) {
  const at = (n: string) => `/${owners}/${owners.charAt(0)}${n}/rulesets`;
  return {
    [`rulesets.${owners}.list`]: pair((n) => get(at(n))),
    [`rulesets.${owners}.get`]: pair((n) => get(`${at(n)}/${id}`)),
    [`rulesets.${owners}.entrypoint`]: pair((n) =>
      get(`${at(n)}/phases/http_request_firewall_custom/entrypoint`),
    ),
    [`rulesets.${owners}.versions`]: pair((n) => get(`${at(n)}/${id}/versions`)),
    [`rulesets.${owners}.version`]: pair((n) => get(`${at(n)}/${id}/versions/1`)),
    [`rulesets.${owners}.entrypoint.versions`]: pair((n) =>
      get(`${at(n)}/phases/http_request_firewall_custom/entrypoint/versions`),
    ),
    [`rulesets.${owners}.entrypoint.version`]: pair((n) =>
      get(`${at(n)}/phases/http_request_firewall_custom/entrypoint/versions/1`),
    ),
    [`rulesets.${owners}.replaceEntryPoint`]: pair((n) =>
      request("PUT", `${at(n)}/phases/http_request_firewall_custom/entrypoint`, () => ({
        rules: Array.from({ length: n === "1" ? rulesetSizes.rules / 5 : 1 }, (_, i) => customRule(i)),
      })),
    ),
    [`rulesets.${owners}.create`]: pair((n) =>
      request("POST", at(n), () => ({
        name: fresh("ruleset"),
        kind: "custom",
        phase: "http_request_firewall_custom",
        rules: Array.from({ length: n === "1" ? rulesetSizes.rules / 5 : 1 }, (_, i) => customRule(i)),
      })),
    ),
    [`rulesets.${owners}.replace`]: pair((n) =>
      request("PUT", `${at(n)}/${id}`, () => ({
        rules: Array.from({ length: n === "1" ? rulesetSizes.rules / 5 : 1 }, (_, i) => customRule(i)),
      })),
    ),
    [`rulesets.${owners}.delete`]: pair((n) => request("DELETE", `${at(n)}/${id}-unused`)),
    [`rulesets.${owners}.rules.create`]: pair((n) =>
      request("POST", `${at(n)}/${id}/rules`, () => ({ action: "log", expression: "ssl" })),
    ),
    [`rulesets.${owners}.rules.edit`]: pair((n) =>
      request("PATCH", `${at(n)}/${id}/rules/r0`, () => ({ description: fresh("d") })),
    ),
    [`rulesets.${owners}.rules.delete`]: pair((n) => request("DELETE", `${at(n)}/${id}/rules/r${n}`)),
  } as Record<
    `rulesets.${Owners}.${
      | "list"
      | "get"
      | "entrypoint"
      | "entrypoint.versions"
      | "entrypoint.version"
      | "replaceEntryPoint"
      | "create"
      | "replace"
      | "delete"
      | "rules.create"
      | "rules.edit"
      | "rules.delete"
      | "versions"
      | "version"}`,
    Load
  >;
}
