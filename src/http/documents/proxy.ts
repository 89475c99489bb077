/** Documents of proxy applications. */
import type { EndpointDocument } from "./endpoint-document.ts";

const app = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "git.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
};

/** Of every body that creates, changes or replaces an application. */
const checks = [
  ...[10012, 11000, 11001, 11002, 11004, 11014, 11018, 11019, 11026, 11033, 11034, 11041, 11042, 11043],
  ...[11044, 11045, 11050, 12005, 13002, 16001],
] as const satisfies EndpointDocument["errors"];

export const proxyDocuments = {
  "proxy.apps.list": {
    description: "Lists the applications of the zone: all, or a page when the request names one.",
    errors: [],
    example: { query: { page: "1", per_page: "20", order: "protocol", direction: "asc" } },
  },
  "proxy.apps.get": { description: "Returns an application.", errors: [], example: {} },
  "proxy.apps.create": {
    description: "Creates an application. Members that are missing or null get their defaults.",
    errors: checks,
    example: { body: app },
  },
  "proxy.apps.edit": {
    description: "Merges the body into the application and checks the result; null clears a member.",
    errors: checks,
    example: { body: { ip_firewall: true } },
  },
  "proxy.apps.replace": {
    description: "Replaces an application; members that are missing or null get their defaults.",
    errors: checks,
    example: { body: { ...app, dns: { type: "CNAME", name: "ssh.example.com" } } },
  },
  "proxy.apps.delete": {
    description: "Deletes an application; its host name and addresses are free at once.",
    errors: [],
    example: {},
  },
} as const satisfies Readonly<Record<string, EndpointDocument>>;
