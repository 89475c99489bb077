/**
 * Writes `docs/proxy-codes.md` from the catalogue of checks. `node --import tsx scripts/generate-proxy-codes.ts`
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type CheckEntry, checks } from "../src/engine/proxy/checks/catalogue.ts";
import type { Example } from "../src/engine/proxy/checks/check.ts";
import { world } from "../src/engine/proxy/checks/samples.ts";
import { validateApp } from "../src/engine/proxy/validate.ts";
import { type Code, catalogue } from "../src/errors.ts";

/** Where the page is kept, relative to this file. */
export const proxyCodesPath = new URL("../docs/proxy-codes.md", import.meta.url);

/** The page as text. */
export function renderProxyCodes(): string {
  const codes = [...new Set(checks.map((check) => check.code))];
  return [
    "# Codes of proxy applications",
    "",
    "<!-- Written by scripts/generate-proxy-codes.ts from the catalogue of checks; change the catalogue, not this page. -->",
    "",
    "Every check that `validateApp` of `edgeproof/proxy` makes, in its order. A phase that finds something is the last:",
    "`decode`, `fields`, `shape`, `protocol`, `stateless`, `entitlement`, `stateful`. A check whose facts are missing is",
    "listed in `notEvaluated`, and never passes in silence. Code 10400 is edgeproof's own; the others are the specification's.",
    "10002 (500, or 503 when a dependency is unavailable) stands for faults of the service itself; no body causes it.",
    "",
    "| code | name | status | checks |",
    "|---|---|---|---|",
    ...codes.map(tableRow),
    "",
    ...codes.flatMap((code) => section(code)),
  ].join("\n");
}

const ofCode = (code: Code) => checks.filter((check) => check.code === code);

function tableRow(code: Code): string {
  const { name, status } = catalogue[code];
  const links = ofCode(code).map(({ id }) => `[${id}](#${id})`);
  return `| [${code}](#${code}) | ${name} | ${status} | ${links.join(", ")} |`;
}

function section(code: Code): string[] {
  const { name, status } = catalogue[code];
  return [`## ${code}`, "", `${name}, status ${status}.`, "", ...ofCode(code).flatMap(entry)];
}

function entry(check: CheckEntry): string[] {
  const { id, phase, facts, what, why, fix, bad, good } = check;
  const [violation] = validateApp(bad.body, bad.facts, bad.options).violations;
  const needs = facts.length > 0 ? facts.map((fact) => `\`${fact}\``).join(", ") : "none";
  return [
    `### ${id}`,
    "",
    `- **Rule**: ${what}`,
    `- **Why**: ${why}`,
    `- **Mend**: ${fix}`,
    `- **Phase**: ${phase}. **Facts**: ${needs}.`,
    "",
    "Bad:",
    "",
    ...example(bad),
    `> ${violation?.message} At ${violation?.pointers.map((at) => `\`${at || "(the whole body)"}\``).join(", ")}.`,
    "",
    ...(violation?.patch ? ["The patch that mends it:", "", ...json(violation.patch)] : []),
    "Good:",
    "",
    ...example(good),
  ];
}

/** A body, and what is special about its world. */
function example({ body, facts = {}, options = {} }: Example): string[] {
  const special = Object.entries(facts).filter(([name, value]) => !isOrdinary(name, value));
  const lines = json(body);
  if (special.length > 0) lines.push("with the facts", "", ...json(Object.fromEntries(special)));
  if (options.previous) lines.push("as an update of", "", ...json(options.previous));
  return lines;
}

function isOrdinary(name: string, value: unknown): boolean {
  return JSON.stringify((world as Record<string, unknown>)[name]) === JSON.stringify(value);
}

function json(value: unknown): string[] {
  return ["```json", print(value), "```", ""];
}

/** Prints JSON with one member a line, and what is nested inside of a member on that line. */
function print(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return inline(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{\n${members.map(([name, member]) => `  ${JSON.stringify(name)}: ${inline(member)}`).join(",\n")}\n}`;
}

function inline(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return "{}";
  return `{ ${members.map(([name, member]) => `${JSON.stringify(name)}: ${inline(member)}`).join(", ")} }`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(proxyCodesPath, renderProxyCodes());
