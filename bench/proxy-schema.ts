/** The peers of the proxy benchmark: the format of an application as a zod schema, and as hand-written code. */
import { z } from "zod";

/** As complete as the engine's format phase: every member with its type, enumerations, patterns and limits. */
export const appSchema = z.object({
  protocol: z.string().regex(/^(?:ssh|rdp|minecraft|(?:tcp|udp)\/[1-9]\d{0,4}(?:-[1-9]\d{0,4})?)$/),
  dns: z.object({
    name: z.string().regex(/^[\w-]{1,63}(?:\.[\w-]{1,63})+\.?$/),
    type: z.enum(["CNAME", "ADDRESS"]).nullish(),
  }),
  traffic_type: z.enum(["direct", "http", "https", "ftp"]).nullish(),
  origin_direct: z.array(z.string()).max(1000).nullish(),
  origin_dns: z
    .object({
      name: z.string().nullish(),
      ttl: z.number().int().nullish(),
      type: z.enum(["", "A", "AAAA", "SRV"]).nullish(),
    })
    .nullish(),
  origin_port: z.union([z.number().int(), z.string().regex(/^[1-9]\d{0,4}(?:-[1-9]\d{0,4})?$/)]).nullish(),
  edge_ips: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("dynamic"), connectivity: z.enum(["all", "ipv4", "ipv6"]).nullish() }),
      z.object({
        type: z.literal("static"),
        ips: z
          .array(z.union([z.ipv4(), z.ipv6()]))
          .min(1)
          .max(1000),
      }),
    ])
    .nullish(),
  smart_routing: z.boolean().nullish(),
  ip_firewall: z.boolean().nullish(),
  proxy_protocol: z.enum(["off", "v1", "v2", "simple"]).nullish(),
  tls: z.enum(["off", "flexible", "full", "strict"]).nullish(),
  virtual_network_id: z.string().nullish(),
});

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const absent = (value: unknown) => value === undefined || value === null;
const oneOf = (value: unknown, ...allowed: string[]) => absent(value) || allowed.includes(value as string);
const flag = (value: unknown) => absent(value) || typeof value === "boolean";
const text = (value: unknown) => absent(value) || typeof value === "string";
const texts = (value: unknown) =>
  absent(value) || (Array.isArray(value) && value.every((item) => typeof item === "string"));

/** Checks only JSON types and enumerations; parses no strings and reports no faults. */
export function hasFormat(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { dns, origin_dns: named, origin_port: port, edge_ips: edge } = body;
  return (
    typeof body["protocol"] === "string" &&
    isObject(dns) &&
    typeof dns["name"] === "string" &&
    oneOf(dns["type"], "CNAME", "ADDRESS") &&
    oneOf(body["traffic_type"], "direct", "http", "https", "ftp") &&
    texts(body["origin_direct"]) &&
    (absent(named) || (isObject(named) && hasOriginFormat(named))) &&
    (absent(port) || Number.isInteger(port) || typeof port === "string") &&
    (absent(edge) || (isObject(edge) && hasEdgeFormat(edge))) &&
    flag(body["smart_routing"]) &&
    flag(body["ip_firewall"]) &&
    oneOf(body["proxy_protocol"], "off", "v1", "v2", "simple") &&
    oneOf(body["tls"], "off", "flexible", "full", "strict") &&
    text(body["virtual_network_id"])
  );
}

function hasOriginFormat(named: Json): boolean {
  return (
    text(named["name"]) &&
    (absent(named["ttl"]) || Number.isInteger(named["ttl"])) &&
    oneOf(named["type"], "", "A", "AAAA", "SRV")
  );
}

function hasEdgeFormat(edge: Json): boolean {
  if (edge["type"] === "static")
    return Array.isArray(edge["ips"]) && edge["ips"].length > 0 && texts(edge["ips"]);
  return edge["type"] === "dynamic" && oneOf(edge["connectivity"], "all", "ipv4", "ipv6");
}
