/** The proxy section of the demo: one valid application and two invalid ones. */
import { validateApp } from "../../engine/proxy/validate.ts";
import type { DemoTable } from "./demo-table.ts";

const dns = { type: "CNAME", name: "ssh.shop.example" };

/** The plan, features and prefixes of the account of the demo. */
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
    "static edge address with a CNAME record",
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
    return [String(first.code), title, first.pointer ?? "", first.fix ? "yes" : "no"];
  });
  return [
    {
      area: "proxy",
      title: "Proxy applications: the first violation of three configurations",
      header: ["code", "configuration", "pointer", "fixed by --fix"],
      rows,
    },
  ];
}
