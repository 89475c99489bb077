/** Sends the requests of the OpenAPI document's examples to the handler, each to one of its own with the same world. */
import { type EndpointId, endpointDocuments } from "../../src/http/documents/documents.ts";
import {
  exampleFile,
  exampleKey,
  exampleParameters,
  examplePicture,
} from "../../src/http/documents/endpoint-document.ts";
import { deliveryPath, type Endpoint } from "../../src/http/endpoints/endpoint.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import type { World } from "../../src/service/world/schema.ts";
import { createTestEdge } from "../../src/testing/create-test-edge.ts";

const { zone_id, account_id, config_id, rule_id, app_id, account_hash, image_id } =
  exampleParameters as Readonly<Record<string, string>>;
const { ruleset_id, list_id, ruleset_phase: phase } = exampleParameters as Readonly<Record<string, string>>;
const host = "api.example.com";

/** The expressions that the examples have. */
const rulesetsOf = (kind: "zone" | "root") => [
  {
    id: ruleset_id!,
    kind,
    phase: phase!,
    rules: [
      {
        id: "3a03d665bac047339bb530ecb439a90d",
        ref: "admins",
        description: "Only admins delete.",
        action: "block",
        expression: `http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["${config_id}"][0], "role") eq "admin"`,
      },
    ],
  },
];

const world: World = {
  accounts: [
    {
      id: account_id!,
      name: "Example",
      lists: [
        { id: list_id!, name: "office", kind: "ip", items: ["192.0.2.0/24", "2001:db8::1", "198.51.100.7"] },
      ],
      brand: {
        queries: [{ tag: "payments", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] }],
        observed: ["paypa1.com"],
        logo_queries: [{ tag: "logo", similarity_threshold: 0.7, image: examplePicture }],
        scans: [{ domain: "shop.example.net", image: examplePicture }],
      },
      images: {
        account_hash: account_hash!,
        signing_keys: [{ name: "default", value: "example-signing-key" }],
        variants: [{ id: "thumbnail", options: { fit: "cover", width: 100, height: 100, metadata: "none" } }],
        images: [{ id: image_id!, image: examplePicture, metadata: { color: "blue" } }],
      },
    },
  ],
  zones: [
    {
      id: zone_id!,
      account_id: account_id!,
      name: "example.com",
      settings: { transformations: "on" },
      token_validation: {
        operations: [
          {
            operation_id: "9def2cb0-3ed0-4737-92ca-f09efa4718fd",
            method: "GET",
            host,
            endpoint: "/orders/{var1}",
          },
        ],
        configs: [
          {
            id: config_id!,
            title: "Customers",
            token_sources: ['http.request.headers["authorization"][0]'],
            credentials: { keys: [exampleKey] },
          },
        ],
        rules: [
          {
            id: rule_id!,
            title: "Tokens are valid",
            action: "block",
            expression: `is_jwt_valid("${config_id}")`,
            selector: { include: [{ host: [host] }] },
          },
        ],
      },
      proxy: {
        applications: [
          {
            id: app_id!,
            protocol: "tcp/22",
            dns: { type: "CNAME", name: "ssh.example.com" },
            origin_direct: ["tcp://192.0.2.1:22"],
          },
        ],
      },
    },
  ],
} as World;

/** Rulesets of one owner, because their ids are unique; and configurations that other records do not refer to, so that they can be deleted. */
function worldFor(id: EndpointId): World {
  if (id.startsWith("rulesets.zones"))
    return { ...world, zones: world.zones!.map((zone) => ({ ...zone, rulesets: rulesetsOf("zone") })) };
  if (id.startsWith("rulesets.accounts"))
    return {
      ...world,
      accounts: world.accounts!.map((account) => ({ ...account, rulesets: rulesetsOf("root") })),
    };
  if (id !== "tokens.configs.delete") return world;
  const zones = world.zones!.map((zone) => ({
    ...zone,
    token_validation: { ...zone.token_validation, rules: [] },
  }));
  return { ...world, zones };
}

const imageSource = () => Buffer.from(examplePicture, "base64");

const picture = () => new Blob([Buffer.from(examplePicture, "base64")], { type: "image/png" });

function bodyOf({ id, form, textTypes }: Endpoint): {
  readonly body?: FormData | string;
  readonly type?: string;
} {
  const { body } = endpointDocuments[id].example;
  if (body === undefined) return {};
  if (textTypes) return { body: body as string, type: textTypes[0]! };
  if (!form) return { body: JSON.stringify(body), type: "application/json" };
  const fields = new FormData();
  for (const [name, value] of Object.entries(body as Record<string, string | readonly string[]>))
    for (const item of [value].flat())
      if (item === exampleFile) fields.append(name, picture(), "picture.png");
      else fields.append(name, item);
  return { body: fields };
}

/** The address of an example. */
export function exampleUrl({ id, path, mount }: Endpoint): string {
  const { query = {} } = endpointDocuments[id].example;
  const filled = path
    .replace("{intel}", "intel")
    .replace("{app_service}", "app_service")
    .replace(`${deliveryPath}/{path+}`, `${deliveryPath}/${exampleParameters["path"]}`)
    .replaceAll(/\{(\w+)\+?\}/g, (_all, name: string) => exampleParameters[name]!);
  const search = new URLSearchParams(query).toString();
  return `https://api.example.com${mount === "origin" ? "" : "/client/v4"}${filled}${search && `?${search}`}`;
}

/** The response to the example of an endpoint. */
export async function sendExample(endpoint: Endpoint): Promise<Response> {
  const edge = createTestEdge({ world: worldFor(endpoint.id), ingest: true, imageSource });
  const send = (row: Endpoint) => {
    const { body, type } = bodyOf(row);
    const headers = { authorization: "Bearer example", ...(type && { "content-type": type }) };
    return edge.fetch(
      new Request(exampleUrl(row), { method: row.method, headers, ...(body !== undefined && { body }) }),
    );
  };
  // An upload address is that of a draft.
  if (endpoint.id === "images.drafts.fill")
    await send(endpoints.find(({ id }) => id === "images.drafts.create")!);
  try {
    return await send(endpoint);
  } finally {
    await edge.close();
  }
}

/** Whether the answer of an endpoint is an example: not bytes, and not the document itself. */
export function hasExampleAnswer({ id, response }: Endpoint): boolean {
  return response.json !== undefined && !id.startsWith("document");
}
