/**
 * Writes `docs/proxy-codes.md` from the catalogue of checks. `node --import tsx scripts/generate-proxy-codes.ts`
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pointersOf } from "../src/core/diagnostic.ts";
import { type CheckEntry, checks } from "../src/engine/proxy/checks/catalogue.ts";
import { type Example, isErrorCode } from "../src/engine/proxy/checks/check.ts";
import { world } from "../src/engine/proxy/checks/samples.ts";
import { phases } from "../src/engine/proxy/model.ts";
import { validateApp } from "../src/engine/proxy/validate.ts";
import { catalogue, noteCodes } from "../src/errors.ts";

/** Location of the page. */
export const proxyCodesPath = new URL("../docs/proxy-codes.md", import.meta.url);

/** The page as Markdown. */
export function renderProxyCodes(): string {
  const codes = [...new Set(checks.map((check) => check.code))].sort(errorsFirst);
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
    "An `error` rejects the body. A `restriction` is a rule of the real service that the specification does not state: it",
    "rejects in profile `provider`, and is an entry of `warnings` in profile `spec`. A `warning` is probably a",
    "mistake, a `note` may be intended; both only report. The source of a rule is `spec` (the specification), `observed` (the",
    "real service's public documentation and client libraries) or `chosen` (decided by edgeproof).",
    "",
    "## Index",
    "",
    "| code | name | status | checks |",
    "|---|---|---|---|",
    ...codes.map(tableRow),
    "",
    "| check | code | level | source | phase | rule |",
    "|---|---|---|---|---|---|",
    ...checks.map(indexRow),
    "",
    ...codes.flatMap((code) => section(code)),
  ].join("\n");
}

type CheckCode = CheckEntry["code"];

/** Codes of notes are after those of errors; otherwise the order stays. */
function errorsFirst(a: CheckCode, b: CheckCode): number {
  return Number(!isErrorCode(a)) - Number(!isErrorCode(b));
}

/** Name and status of a code; a note is part of a successful answer. */
function describeCode(code: CheckCode): { readonly name: string; readonly status: number | string } {
  if (isErrorCode(code)) return catalogue[code];
  return { name: code === noteCodes.memberIgnored ? "Ignored member" : "Note", status: "that of the answer" };
}

function indexRow({ id, code, level, source, phase, rule }: CheckEntry): string {
  return `| [${id}](#${id}) | ${code} | ${level} | ${source} | ${phase} | ${rule} |`;
}

/** An anchor that does not depend on how a viewer makes anchors of headings. */
function anchor(name: string | number): string {
  return `<a id="${name}"></a>`;
}

const ofCode = (code: CheckCode) => checks.filter((check) => check.code === code);

function tableRow(code: CheckCode): string {
  const { name, status } = describeCode(code);
  const links = ofCode(code).map(({ id }) => `[${id}](#${id})`);
  return `| [${code}](#${code}) | ${name} | ${status} | ${links.join(", ")} |`;
}

function section(code: CheckCode): string[] {
  const { name, status } = describeCode(code);
  return [
    anchor(code),
    "",
    `## ${code}`,
    "",
    `${name}, status ${status}.`,
    "",
    ...ofCode(code).flatMap(entry),
  ];
}

function entry(check: CheckEntry): string[] {
  const { id, level, source, phase, facts, rule, why, fix, bad, good } = check;
  const { violations, warnings } = validateApp(bad.body, bad.facts, bad.options);
  const [violation] = [...violations, ...warnings];
  const needs = facts.length > 0 ? facts.map((fact) => `\`${fact}\``).join(", ") : "none";
  return [
    anchor(id),
    "",
    `### ${id}`,
    "",
    `- **Rule**: ${rule}`,
    `- **Why**: ${why}`,
    `- **Fix**: ${fix}`,
    `- **Level**: ${level}. **Source**: ${source}. **Phase**: ${phase}. **Facts**: ${needs}.`,
    "",
    "Bad:",
    "",
    ...example(bad),
    `> ${violation?.message} Pointers: ${
      violation &&
      pointersOf(violation)
        .map((at) => `\`${at || "(the whole body)"}\``)
        .join(", ")
    }.`,
    "",
    ...(violation?.fix ? ["The patch that fixes it:", "", ...json(violation.fix)] : []),
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
