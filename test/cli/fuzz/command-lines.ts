/**
 * Command lines of every command that ends. `<name>` is an input file, `>name` a place to write to, `@name` an address
 * of the test's own server, and `?` a value that may be any text.
 */
const world = ["--world", "<world.json"];
const postgres = "postgres://u:hunter2-hunter2@127.0.0.1:1/db";

/** The command lines by command; a reason for a command that does not end by itself. */
export const commandLines: Readonly<Record<string, readonly (readonly string[])[] | string>> = {
  demo: [],
  init: "It writes to the current folder; test/cli/project has its tests.",
  "config print": [[]],
  workbench: "runs until it is stopped",
  playground: [
    ["--out", ">site"],
    ["--out", ">site", "--replace"],
  ],
  lsp: "It speaks a protocol over standard input; test/cli/lsp has its tests.",
  serve: "runs until it is stopped",
  "world from": [
    ["<plan.json"],
    ["<raw.tfstate", "<jwks.json", "--json", "--partial"],
    ["<state.json", "--out", ">out.json"],
    ["<rules.json", "<configs.json", "--zone-name", "?z1=example.com", "--partial"],
    ["<shop.yaml", "--host", "?api.example.com"],
    ["<world.json"],
  ],
  "world pull": [
    ["--zone", "?z1", "--base-url", "@api", "--partial"],
    ["--zone", "z1", "--base-url", "?https://u:hunter2-hunter2@127.0.0.1:1/"],
  ],
  "world keys": [
    ["<jwks.json"],
    ["<keys.pem", "--json", "--kid", "?a"],
    ["--issuer", "@jwks", "--fetch-private"],
  ],
  check: [
    ["<world.json"],
    ["<world.yaml", "--format", "?json"],
    ["<apps.json", "<apps.jsonc", ...world, "--zone", "?z1"],
    ["<apps.json", "--fix"],
    ["<world.json", "--format", "sarif"],
    ["<world.json", "--format", "markdown", "--profile", "provider"],
    ["<world.json", "--format", "gitlab"],
    ["<world.json", "--format", "github"],
    ["<plan.json", "--format", "junit", "--partial"],
    ["<world.json", "--only", "openapi", "--openapi", "<shop.yaml", "--html", ">page.html"],
    ["<world.json", "--only", "keys", "--jwks", "<jwks.json", "--config", "?signed"],
  ],
  eval: [
    [...world, "--requests", "<requests.json"],
    [...world, "--requests", "<request.json", "--explain", "--zone", "?z1", "--method-less"].slice(0, -1),
    [...world, "--requests", "<requests.json", "--json", "--now", "?2026-01-31T12:00:00Z"],
    [...world, "--requests", "<requests.json", "--coverage", "lcov", "--coverage-out", ">lcov.info"],
    [...world, "--requests", "<requests.json", "--coverage", "html"],
    ["--world", "<world.yaml", "--requests", "<request.json"],
  ],
  diff: [
    ["<world.json", "<other.json"],
    ["<world.json", "<raw.tfstate", "--json"],
  ],
  replay: [
    [...world, "<traffic.txt", "<traffic.har"],
    [...world, "--against", "<other.json", "<edge.ndjson.gz", "--json"],
    [...world, "--against", "<other.json", "--expect", "<changes.json", "<traffic.txt", "--input", "?curl"],
  ],
  "suite generate": [
    [...world, "--format", "json"],
    [...world, "--out", ">suite.test.ts", "--zone", "?z1"],
  ],
  "suite mutate": [[...world, "--requests", "<requests.json", "--min-score", "?50"]],
  "brand match": [
    ["--pattern", "?paypal:1", "<names.txt"],
    [...world, "--account", "?a1", "<observed.jsonl", "--format", "csv"],
    ["--pattern", "paypal:2", "--column", "?domain", "<names.csv", "--json", "--mode", "recommended"],
    ["--pattern", "paypal", "--new-since", "<observed.jsonl", "<names.txt"],
    ["--pattern", "paypal", "--tune", "<names.txt"],
  ],
  "brand variants": [
    ["?paypal.com", "--kind", "?homoglyph"],
    ["ab.com", "--dictionary", "<words.txt", "--kind", "combosquat", "--json"],
    ["ab.com", "--tlds", "<words.txt", "--kind", "tld-swap", "--new-since", "<names.txt"],
  ],
  "brand logo": [
    ["<logo.png", "<shot.png", "--html", ">page.html"],
    ["<shot.png", "<logo.png", "--json"],
  ],
  "images render": [
    ["<shot.png", ">out.webp", "--width", "?9", "--accept", "?image/avif"],
    ["<moving.gif", ">out.gif", "--width", "5"],
    ["<drawing.svg", ">out.svg"],
    ["<shot.png", ">out", "--variants", "<variants.json"],
  ],
  "images sign": [
    ["?https://images.example.com/h/i/public", "--key", "hunter2-hunter2", "--expires", "?1h"],
    ["?/h/i/public?sig=x", "--key-env", "?KEY"],
  ],
  "store export": [
    ["--data", "<world.json", ">out.jsonl"],
    ["--data", "?postgres//u:hunter2-hunter2@h/db", ">o.gz"],
  ],
  "store import": [
    ["--data", "?postgres//u:hunter2-hunter2@h/db", "<observed.jsonl"],
    ["--data", ">new.db", "<names.txt"],
  ],
  "store reindex": [
    ["--data", "<world.json"],
    ["--data", postgres],
  ],
  "store observe": [
    ["--data", "<world.json", "--account", "?a1", "<names.txt"],
    ["--data", ">new.db", "--account", "a1", "<observed.jsonl", "<shot.png"],
  ],
  "queue publish": [
    ["--queue", "?postgres//u:hunter2-hunter2@h/db", "--data", postgres, "--account", "?a1", "<shot.png"],
  ],
  "queue work": "runs until it is stopped",
  "queue status": [
    ["--queue", "?nats//hunter2-hunter2:@h"],
    ["--queue", postgres],
  ],
  "queue setup": [["--queue", postgres, "--max-size", "?5"]],
  "queue dead list": [["--queue", postgres, "--limit", "?5"]],
  "queue dead retry": [["--queue", postgres, "?id"]],
  "queue dead drop": [["--queue", postgres, "--all"]],
  mcp: "It speaks a protocol; test/cli/agents has its hostile input.",
  explain: [["?11034", "--json"], ["?always-true"]],
  complete: [["?bash"]],
};
