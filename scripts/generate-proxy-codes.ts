/**
 * Writes `docs/proxy-codes.md` from the catalogue of checks. `node --import tsx scripts/generate-proxy-codes.ts`
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type CheckEntry, checks } from "../src/engine/proxy/checks/catalogue.ts";
import type { Example } from "../src/engine/proxy/checks/check.ts";
import { world } from "../src/engine/proxy/checks/samples.ts";
import { phases } from "../src/engine/proxy/model.ts";
import { validateApp } from "../src/engine/proxy/validate.ts";
import { type Code, catalogue } from "../src/errors.ts";

/** Location of the page. */
export const proxyCodesPath = new URL("../docs/proxy-codes.md", import.meta.url);

/** The page as Markdown. */
export function renderProxyCodes(): string {
  const codes = [...new Set(checks.map((check) => check.code))];
  return [
    "# Codes of proxy applications",
    "",
    "<!-- Written by scripts/generate-proxy-codes.ts from the catalogue of checks; change the catalogue, not this page. -->",
    "",
    "All checks of `validateApp` from `edgeproof/proxy`, in the order in which they run. The phases are",
    `${phases.map((phase) => `\`${phase}\``).join(", ")}; a validation stops after the`,
    "first phase with violations. A check with missing facts is listed in `notEvaluated`. Code 10400 is edgeproof's own; the",
    "others are from the specification. 10002 (500, or 503 when a dependency is unavailable) reports faults of the service",
    "itself; no body causes it.",
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
  const { id, phase, facts, rule, why, fix, bad, good } = check;
  const [violation] = validateApp(bad.body, bad.facts, bad.options).violations;
  const needs = facts.length > 0 ? facts.map((fact) => `\`${fact}\``).join(", ") : "none";
  return [
    `### ${id}`,
    "",
    `- **Rule**: ${rule}`,
    `- **Why**: ${why}`,
    `- **Fix**: ${fix}`,
    `- **Phase**: ${phase}. **Facts**: ${needs}.`,
    "",
    "Bad:",
    "",
    ...example(bad),
    `> ${violation?.message} Pointers: ${violation?.pointers.map((at) => `\`${at || "(the whole body)"}\``).join(", ")}.`,
    "",
    ...(violation?.patch ? ["The patch that fixes it:", "", ...json(violation.patch)] : []),
    "Good:",
    "",
    ...example(good),
  ];
}

/** A body, and the facts in which it differs from `world`. */
function example({ body, facts = {}, options = {} }: Example): string[] {
  const different = Object.entries(facts).filter(([name, value]) => !isDefault(name, value));
  const lines = json(body);
  if (different.length > 0) lines.push("with the facts", "", ...json(Object.fromEntries(different)));
  if (options.previous) lines.push("as an update of", "", ...json(options.previous));
  return lines;
}

function isDefault(name: string, value: unknown): boolean {
  return JSON.stringify((world as Record<string, unknown>)[name]) === JSON.stringify(value);
}

function json(value: unknown): string[] {
  return ["```json", print(value), "```", ""];
}

/** Prints JSON with one member per line and nested values inline. */
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
