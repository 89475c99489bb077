/**
 * Mixed requests of a client, over all areas. What one creates it deletes again, so that the data stays the same and
 * memory that grows is a leak. Each client has a zone of its own, and shares the zone and account that all only read.
 */
import { randomInt } from "node:crypto";
import { mintKey } from "edgeproof/testing";
import sharp from "sharp";
import type { SoakServer } from "./server.ts";

/** Sends one request, and throws unless it has the status; returns the parsed body, or undefined for other types. */
export type Exchange = (
  name: string,
  status: number,
  path: string,
  sent?: {
    readonly method?: string;
    readonly json?: unknown;
    readonly form?: FormData;
    readonly lines?: string;
    readonly token?: null;
  },
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
) => Promise<any>;

/** One thing that a client does: one or more requests. */
export type Step = (send: Exchange, client: number) => Promise<void>;

const interfacePath = "/client/v4";
const shared = { zone: "/zones/z0/token_validation", images: "/accounts/a0/images" };
const brandOf = (client: number) => `/accounts/b${client}/intel/v2/brand-protection`;
const zoneOf = (client: number) => `/zones/z${client + 1}`;
const imagesOf = (client: number) => `/accounts/a${client + 1}/images`;

/** Sends requests and hands their duration in milliseconds to `onDone`. */
export function exchangeOf(
  server: SoakServer,
  onDone: (name: string, ms: number, status: number) => void,
): Exchange {
  return async (name, status, path, { method, json, form, lines, token } = {}) => {
    const isJson = json !== undefined;
    const encoded = form && new Response(form);
    const headers = {
      ...(token !== null && { authorization: "Bearer any" }),
      ...(isJson && { "content-type": "application/json" }),
      ...(lines !== undefined && { "content-type": "text/plain" }),
      ...(encoded && { "content-type": encoded.headers.get("content-type")! }),
    };
    const body = isJson
      ? JSON.stringify(json)
      : (lines ?? (encoded && new Uint8Array(await encoded.arrayBuffer())));
    const start = performance.now();
    const received = await server.send(
      path.startsWith("/cdn-cgi") || path === "/health" ? path : `${interfacePath}${path}`,
      {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers,
        ...(body !== undefined && { body }),
      },
    );
    onDone(name, performance.now() - start, received.status);
    if (received.status !== status)
      throw new Error(
        `${name}: ${received.status} instead of ${status}: ${received.body.toString("utf8", 0, 300)}`,
      );
    const text = received.body.toString("utf8");
    return text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined;
  };
}

const pattern = (tag: string, name: string) => ({
  tag,
  string_matches: [{ pattern: name, max_edit_distance: 1 }],
});

async function picture(red: number): Promise<Uint8Array<ArrayBuffer>> {
  const background = { r: red % 256, g: 70, b: 130 };
  const bytes = await sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .png()
    .toBuffer();
  return new Uint8Array(bytes);
}

/** Creates what all clients read, and returns the steps. */
export async function prepare(send: Exchange): Promise<readonly Step[]> {
  const { jwk } = await mintKey("ES256");
  const config = {
    title: "t",
    description: "d",
    token_type: "JWT",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [jwk] },
  };
  const ruleOf = (id: string) => ({
    title: "r",
    description: "d",
    action: "block",
    enabled: true,
    expression: `is_jwt_valid("${id}")`,
    selector: { include: [{ host: ["api.example.com"] }] },
  });
  const pictures = await Promise.all(Array.from({ length: 8 }, (_, i) => picture(i * 30)));
  const formOf = (bytes: Uint8Array<ArrayBuffer>, id?: string) => {
    const form = new FormData();
    form.append("file", new Blob([bytes]), "a.png");
    if (id !== undefined) form.append("id", id);
    return form;
  };
  const { id } = (await send("prepare", 200, `${shared.zone}/config`, { json: config })).result;
  for (let i = 0; i < 20; i++) await send("prepare", 200, `${shared.zone}/rules`, { json: ruleOf(id) });
  const upload = { form: formOf(pictures[0]!, "one") };
  const { variants } = (await send("prepare", 200, `${shared.images}/v1`, upload)).result;
  const delivery = new URL(variants[0]).pathname;

  return [
    async (send) => {
      await send("get a configuration", 200, `${shared.zone}/config/${id}`);
      await send("list rules", 200, `${shared.zone}/rules?per_page=10`);
      await send("edit a configuration", 200, `${shared.zone}/config/${id}`, {
        method: "PATCH",
        json: { title: "u" },
      });
    },
    async (send, client) => {
      const zone = `${zoneOf(client)}/token_validation`;
      const created = (await send("create a configuration", 200, `${zone}/config`, { json: config })).result;
      const rule = (await send("create a rule", 200, `${zone}/rules`, { json: ruleOf(created.id) })).result;
      const moved = { json: { title: "n" }, method: "PATCH" };
      await send("edit a rule", 200, `${zone}/rules/${rule.id}`, moved);
      await send("delete a rule", 200, `${zone}/rules/${rule.id}`, { method: "DELETE" });
      await send("delete a configuration", 200, `${zone}/config/${created.id}`, { method: "DELETE" });
    },
    async (send, client) => {
      const images = `${imagesOf(client)}/v1`;
      const name = `i${randomInt(1e9)}`;
      const form = formOf(pictures[randomInt(pictures.length)]!, name);
      const { result } = await send("upload an image", 200, images, { form });
      await send("deliver a new image", 200, new URL(result.variants[0]).pathname);
      await send("read a blob", 200, `${images}/${name}/blob`);
      await send("delete an image", 200, `${images}/${name}`, { method: "DELETE" });
    },
    async (send) => {
      await send("deliver an image", 200, delivery, { token: null });
      await send("list images", 200, `${shared.images}/v2?per_page=10`);
      await send("count images", 200, `${shared.images}/v1/stats`);
    },
    async (send, client) => {
      const variants = `${imagesOf(client)}/v1/variants`;
      const options = { fit: "cover", width: 1 + randomInt(100), height: 20, metadata: "none" };
      await send("create a variant", 200, variants, { json: { id: "v", options } });
      await send("delete a variant", 200, `${variants}/v`, { method: "DELETE" });
    },
    async (send, client) => {
      const queries = `${brandOf(client)}/domain/queries`;
      const { query_id } = await send("create a domain query", 200, queries, {
        json: pattern("t", "paypal"),
      });
      const lines = Array.from({ length: 20 }, (_, i) => `paypa${i}l.example\n`).join("");
      const observations = `/accounts/b${client}/edgeproof/observations/names`;
      await send("observe names", 200, observations, { lines });
      await send("list domain matches", 200, `${brandOf(client)}/domain/matches?query_id=${query_id}`);
      await send("delete a domain query", 200, `${queries}/${query_id}`, { method: "DELETE" });
    },
    async (send, client) => {
      const queries = `${brandOf(client)}/logo/queries`;
      const image_data = Buffer.from(pictures[client % pictures.length]!).toString("base64");
      const logo = { tag: `t${client}`, image_data, similarity_threshold: 0.9 };
      const { query_id } = await send("create a logo query", 200, queries, { json: logo });
      await send("list logo matches", 200, `${brandOf(client)}/logo/matches?query_id=${query_id}`);
      await send("delete a logo query", 200, `${queries}/${query_id}`, { method: "DELETE" });
    },
    async (send, client) => {
      const apps = `${zoneOf(client)}/app_service/apps`;
      const app = {
        protocol: "tcp/22",
        dns: { type: "CNAME", name: `ssh${client}.example${client + 1}.com` },
        origin_direct: ["tcp://192.0.2.1:22"],
      };
      const { result } = await send("create an application", 200, apps, { json: app });
      await send("list applications", 200, apps);
      await send("delete an application", 200, `${apps}/${result.id}`, { method: "DELETE" });
      await send("reject an application", 400, apps, { json: {} });
    },
    async (send) => {
      await send("reject a stranger", 401, `${shared.zone}/rules`, { token: null });
      await send("find no route", 404, "/nowhere");
      await send("probe the health", 200, "/health", { token: null });
    },
  ];
}

/** A world with a zone and accounts for each client. */
export function worldFor(clients: number): object {
  const numbers = Array.from({ length: clients + 1 }, (_, i) => i);
  return {
    zones: numbers.map((i) => ({ id: `z${i}`, name: `example${i}.com`, account_id: `a${i}` })),
    accounts: numbers.flatMap((i) => [{ id: `a${i}` }, { id: `b${i}` }]),
  };
}
