/** Documents of proxy applications. */
import { type Code, catalogue } from "../../errors.ts";
import type { EndpointDocument } from "./endpoint-document.ts";

const app = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "git.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
};

/** Of every body that creates, changes or replaces an application: all codes of the area. */
const checks = (Object.keys(catalogue).map(Number) as Code[]).filter(
  (code) => catalogue[code].area === "proxy",
);

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
