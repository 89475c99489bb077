/** A small zone that a new thread analyzes before the first text, so that its code is loaded and compiled. */

/** Number of rules; more take longer and save nothing. `chosen` */
const count = 70;

/** A world file whose rules have paths that are undecided together, which runs most of the analysis. */
export function warmUpText(): string {
  const host = "api.example.com";
  const numbers = Array.from({ length: count }, (_, i) => i);
  const rules = numbers.map((i) => ({
    title: `${i}`,
    action: "block",
    expression: `http.request.uri.path contains "${i.toString(36).padStart(3, "q")}" or http.request.method eq "GET"`,
    selector: { include: [{ host: [host] }] },
  }));
  const operations = numbers.map((i) => {
    return { operation_id: `${i}`, method: "GET", host, endpoint: `/v${i}/{id}` };
  });
  const token_validation = { configs: [], rules, operations };
  return JSON.stringify({ zones: [{ id: "z1", name: "example.com", token_validation }] });
}
