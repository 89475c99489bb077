/** The matches of names with A-labels, look-alike letters and edits, as JSON. */
import { compileQueries, normalizeHost } from "edgeproof/brand/names";

export function run(): unknown {
  const matcher = compileQueries([
    {
      query_id: 1,
      parameters: {
        string_matches: [
          { pattern: "paypal", max_edit_distance: 1 },
          { pattern: "münchen", max_edit_distance: 0 },
        ],
      },
    },
  ]);
  const hosts = [
    "secure-paypa1.example.com",
    "xn--pypal-4ve.com",
    "xn--mnchen-3ya.de",
    "xn--mnchen-3ya.co.uk",
    "xn--zzzzzzzz.com",
    "pаypаl.example",
    "ｐａｙｐａｌ.example",
    "harmless.example",
  ];
  return hosts.map((host) => [host, matcher.match(host), normalizeHost(host)]);
}
