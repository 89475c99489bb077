/** The demo's section on proxy applications: one that is right, and two that are not. */
import { validateApp } from "../../engine/proxy/validate.ts";
import type { DemoTable } from "./demo-table.ts";

const dns = { type: "CNAME", name: "ssh.shop.example" };

/** What the demo's account has. */
const facts = {
  plan: "add-on",
  features: { ftp: false, edge_ips: true, smart_routing: true },
  permissions: { ip_prefixes: true },
  prefixes: ["198.51.100.0/24"],
} as const;

const samples: readonly (readonly [title: string, body: unknown])[] = [
  ["SSH to one origin", { protocol: "tcp/22", dns, origin_direct: ["tcp://192.0.2.1:22"] }],
  ["IPv6 origin without brackets", { protocol: "tcp/443", dns, origin_direct: ["tcp://2001:db8::1:443"] }],
  [
    "static edge address under CNAME",
    {
      protocol: "tcp/22",
      dns,
      origin_direct: ["tcp://192.0.2.1:22"],
      edge_ips: { type: "static", ips: ["198.51.100.10"] },
    },
  ],
];

export async function proxySection(): Promise<readonly DemoTable[]> {
  const rows = samples.map(([title, body]) => {
    const { violations } = validateApp(body, facts);
    const [first] = violations;
    if (!first) return ["ok", title, "", ""];
    return [String(first.code), title, first.pointers[0] ?? "", first.patch ? "yes" : "no"];
  });
  return [
    {
      area: "proxy",
      title: "Proxy applications: three configurations, held against every check",
      header: ["code", "configuration", "where", "--fix mends it"],
      rows,
    },
  ];
}
