/** The members of each kind of resource, as the interface and Terraform name them, and the same in the world file. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { ResourceKind } from "../reading.ts";
import { type MemberTable, type PickedMembers, pickMembers, sameNames } from "./pick-members.ts";

/** Members of every record that configure nothing. */
const output = [
  "zone_id",
  "account_id",
  "created_at",
  "last_updated",
  "created_on",
  "modified_on",
  "modified_by",
];

const tables: Readonly<Record<Exclude<ResourceKind, "zone">, MemberTable>> = {
  token_config: sameNames(
    ["id", "title", "description", "token_type", "token_sources", "credentials"],
    output,
  ),
  token_rule: sameNames(
    ["id", "title", "description", "action", "enabled", "expression", "selector"],
    [...output, "position"],
  ),
  operation: sameNames(
    ["operation_id", "method", "host", "endpoint"],
    [...output, "id", "features", "schemas"],
  ),
  image_variant: {
    picked: {
      id: "id",
      options: "options",
      neverRequireSignedURLs: "neverRequireSignedURLs",
      never_require_signed_urls: "neverRequireSignedURLs",
    },
    ignored: [...output, "variant"],
  },
  image_key: sameNames(["name", "value"], output),
  domain_query: {
    picked: { query_tag: "tag", scan: "scan", parameters: "parameters" },
    ignored: [...output, "query_id", "created", "updated"],
  },
  proxy_application: {
    picked: {
      ...sameNames(
        [
          ...["protocol", "dns", "origin_direct", "origin_dns", "origin_port", "virtual_network_id"],
          ...["traffic_type", "edge_ips", "smart_routing", "ip_firewall", "proxy_protocol", "tls"],
        ],
        [],
      ).picked,
      argo_smart_routing: "smart_routing",
    },
    ignored: [...output, "id"],
  },
  dns_record: { picked: { name: "name", hostname: "name", type: "type", proxied: "proxied" }, ignored: [] },
};

/** The members of a resource under the names of the world file, in its spelling. */
export function readResource(kind: ResourceKind, resource: JsonObject): PickedMembers {
  if (kind === "zone") return readZone(resource);
  const picked = pickMembers(resource, tables[kind]);
  if (kind === "domain_query") return liftParameters(picked);
  if (kind === "token_config") return { ...picked, value: spellConfig(picked.value) };
  if (kind === "token_rule") return { ...picked, value: spell(picked.value, "action", lower) };
  if (kind === "dns_record") return { ...picked, others: [] };
  return picked;
}

function readZone({ id, name, zone, account, account_id }: JsonObject): PickedMembers {
  const accountId = isJsonObject(account) ? account["id"] : account_id;
  const members = new Map<string, string>();
  if (typeof name !== "string" && typeof zone === "string") members.set("/name", "/zone");
  if (isJsonObject(account)) members.set("/account_id", "/account/id");
  const value = {
    ...(typeof id === "string" && { id }),
    ...(typeof (name ?? zone) === "string" && { name: name ?? zone }),
    ...(typeof accountId === "string" && { account_id: accountId }),
  };
  return { value, members, others: [] };
}

/** Moves the members of `parameters` up, where the world file has them. */
function liftParameters({ value, members, others }: PickedMembers): PickedMembers {
  const { parameters, ...rest } = value;
  if (!isJsonObject(parameters)) return { value: rest, members, others };
  const moved = Object.keys(parameters).map((name) => [`/${name}`, `/parameters/${name}`] as const);
  const known = [...members].map(([to, from]) => [to.replace(/^\/parameters(?=\/)/, ""), from] as const);
  const { string_matches, min_time, max_time, ...unknown } = parameters;
  const lifted = {
    ...rest,
    ...(string_matches !== undefined && { string_matches }),
    ...(min_time !== undefined && { min_time }),
    ...(max_time !== undefined && { max_time }),
  };
  const more = Object.keys(unknown).map((name) => `parameters/${name}`);
  return { value: lifted, members: new Map([...moved, ...known]), others: [...others, ...more] };
}

const lower = (text: string): string => text.toLowerCase();
const upper = (text: string): string => text.toUpperCase();

/** The same value with one member in another spelling. Members of other types are left for the validation. */
function spell(value: JsonObject, name: string, spelling: (text: string) => string): JsonObject {
  const member = value[name];
  return typeof member === "string" ? { ...value, [name]: spelling(member) } : value;
}

/** The service compares these without regard to case, so that `rs256` may be stored (observed). */
function spellConfig(config: JsonObject): JsonObject {
  const { credentials } = config;
  const spelled = spell(config, "token_type", upper);
  if (!isJsonObject(credentials) || !Array.isArray(credentials["keys"])) return spelled;
  const keys = credentials["keys"].map((key: unknown) => (isJsonObject(key) ? spellKey(key) : key));
  return { ...spelled, credentials: { ...credentials, keys } };
}

function spellKey(key: JsonObject): JsonObject {
  return ["alg", "kty", "crv"].reduce((spelled, name) => spell(spelled, name, upper), key);
}
