/** The page of `edgeproof eval --coverage html`: rules, conditions and reasons in color, in one file. */
import type { Location } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import { maskText } from "../../../core/text/secrets.ts";
import { reasons } from "../../../engine/tokens/model.ts";
import { titleOrId } from "../../../engine/tokens/name-with-title.ts";
import { stepResults } from "../../../engine/tokens/rulesets/run.ts";
import {
  type AtomCoverage,
  type ConfigCoverage,
  type CustomRuleCoverage,
  expectedReasons,
  type RuleCoverage,
} from "../../../engine/tokens/verdict/coverage.ts";
import { escapeControlCharacters } from "../escape-control-characters.ts";
import { escapeHtml, printHtmlHead } from "../html.ts";
import {
  type CoverageTotals,
  coverageKinds,
  type ExpressionPiece,
  expressionPieces,
  findCustomRule,
  percentOf,
  totalsOf,
  type ZoneCoverage,
} from "./zone-coverage.ts";

const style = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --page: #fff; --line: #c8ccd1; --head: #f4f5f7; --full: #c9eed0; --part: #fbe7a6; --none: #ffd0cc; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --quiet: #a4adb8; --page: #14171b; --line: #454c55; --head: #20252b; --full: #17472a; --part: #5a4708; --none: #6b211c; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: var(--text); background: var(--page); }
h2 { margin-top: 3rem; } h3 { margin: 0; overflow-wrap: anywhere; } h3 small { font-weight: normal; }
small, .unused { color: var(--quiet); }
section { border: 1px solid var(--line); border-left: .6rem solid var(--line); border-radius: .3rem; padding: .8rem 1rem; margin: 1rem 0; }
section.full { border-left-color: var(--full); } section.part { border-left-color: var(--part); } section.none { border-left-color: var(--none); }
table { border-collapse: collapse; margin: .6rem 0; }
th, td { border: 1px solid var(--line); padding: .2rem .6rem; text-align: left; overflow-wrap: anywhere; }
th { background: var(--head); font-weight: 600; } td.count { text-align: right; font-variant-numeric: tabular-nums; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .6rem 0; font-size: 14px; }
mark { color: inherit; border-radius: .2rem; padding: .05rem .15rem; }
.full { background: var(--full); } .part { background: var(--part); } .none { background: var(--none); }
section.full, section.part, section.none { background: none; }
`;

/** How much of something was exercised. */
type Level = "full" | "part" | "none";

function levelOf(counts: readonly number[]): Level {
  const seen = counts.filter((count) => count > 0).length;
  if (seen === counts.length) return "full";
  return seen === 0 ? "none" : "part";
}

/** The page in pieces: with many rules it is long. */
export function* printCoveragePage(zones: readonly ZoneCoverage[]): Generator<string> {
  const title = "Coverage of rules";
  yield `${printHtmlHead(title, style).join("\n")}\n<h1>${title}</h1>\n`;
  yield `<p><mark class="full">both outcomes</mark> <mark class="part">one of them</mark> <mark class="none">none</mark></p>\n`;
  if (zones.length === 0) yield "<p>No zone has rules.</p>\n";
  for (const zone of zones) yield* printZone(zone);
  yield "</body></html>\n";
}

function* printZone(coverage: ZoneCoverage): Generator<string> {
  const { zone, report } = coverage;
  yield `<h2>Zone ${safe(zone)}</h2>\n`;
  yield `<p>${formatCount(report.verdicts, "verdict")}</p>\n${printTotals(totalsOf(report))}`;
  for (const [i, rule] of report.rules.entries()) yield printRule(coverage, rule, i);
  if (report.custom.length > 0) yield "<h3>Custom rules</h3>\n";
  for (const rule of report.custom) yield printCustomRule(coverage, rule);
  yield* printConfigs(report.configs);
  yield* printOperations(coverage);
  if (report.missing.length === 0) return;
  yield "<h3>Not exercised</h3>\n<ul>\n";
  for (const sentence of report.missing) yield `<li>${safe(sentence)}</li>\n`;
  yield "</ul>\n";
}

function printTotals(totals: CoverageTotals): string {
  const rows = coverageKinds.flatMap((kind) => {
    const { covered, total } = totals[kind];
    if (total === 0) return [];
    const level = covered === total ? "full" : levelOf([covered, 0]);
    return [
      `<tr><th scope="row">${kind}</th><td class="count ${level}">${percentOf(totals[kind])} %</td><td class="count">${covered} of ${total}</td></tr>`,
    ];
  });
  return `<table>${rows.join("")}</table>\n`;
}

function printRule({ input, place }: ZoneCoverage, rule: RuleCoverage, index: number): string {
  const { id, title, enabled, fired, passed, shadowed, disabled } = rule;
  const { action = "", expression = "" } = input.rules[index] ?? {};
  return printSection({
    name: titleOrId({ id, title }),
    about: [action, id, placeText(place(`/rules/${index}`))],
    rule,
    outcomes: { fired, passed },
    cells: [
      countCell("fired", fired, enabled),
      countCell("passed", passed, enabled),
      countCell("shadowed", shadowed, false),
      countCell("disabled", disabled, false),
    ],
    pieces: expressionPieces("token", expression, rule),
  });
}

function printCustomRule({ input, placeOfCustom }: ZoneCoverage, rule: CustomRuleCoverage): string {
  const { ruleset, id, description, enabled, matched, not_matched } = rule;
  const { action = "", expression = "" } = findCustomRule(input, rule)?.rule ?? {};
  const place = placeOfCustom(rule);
  const others = stepResults.filter((result) => result !== "matched" && result !== "not_matched");
  return printSection({
    name: description || id,
    about: [action, `${id} of ruleset ${ruleset}`, ...(place === undefined ? [] : [placeText(place)])],
    rule,
    outcomes: { matched, not_matched },
    cells: [
      countCell("matched", matched, enabled),
      countCell("not matched", not_matched, enabled),
      ...others.map((result) => countCell(result.replace("_", " "), rule[result], false)),
    ],
    pieces: expressionPieces("custom", expression, rule),
  });
}

function placeText({ file, start }: Location): string {
  return `${file} line ${start.line}`;
}

/** The section of a rule of either kind. */
interface Section {
  readonly name: string;
  readonly about: readonly string[];
  readonly rule: { readonly enabled: boolean; readonly atoms: readonly AtomCoverage[] };
  /** The results of which each is expected. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly cells: readonly string[];
  readonly pieces: readonly ExpressionPiece[];
}

function printSection({ name, about, rule, outcomes, cells, pieces }: Section): string {
  const { enabled, atoms } = rule;
  const expected = [...Object.values(outcomes), ...atoms.flatMap((atom) => [atom.true, atom.false])];
  return [
    `<section class="${enabled ? levelOf(expected) : ""}">`,
    `<h3>${safe(name)} <small>${about.map(safe).join(", ")}${enabled ? "" : ", disabled"}</small></h3>`,
    `<table><tr>${cells.join("")}</tr></table>`,
    `<pre><code>${pieces.map((piece) => printPiece(piece, enabled)).join("")}</code></pre>`,
    enabled && atoms.length > 0 ? printConditions(atoms) : "",
    "</section>\n",
  ].join("\n");
}

/** A heading with its count; only what is expected is colored. */
function countCell(name: string, count: number, isExpected: boolean): string {
  const colored = isExpected ? ` ${count > 0 ? "full" : "none"}` : "";
  const quiet = !isExpected && count === 0 ? ' class="unused"' : "";
  return `<th${quiet}>${name}</th><td class="count${colored}">${count}</td>`;
}

function printPiece({ text, atom }: ExpressionPiece, enabled: boolean): string {
  if (atom === undefined || !enabled) return safe(text);
  const counts = `true ${atom.true} times, false ${atom.false} times`;
  return `<mark class="${levelOf([atom.true, atom.false])}" title="decided as ${counts}">${safe(text)}</mark>`;
}

function printConditions(atoms: readonly AtomCoverage[]): string {
  const rows = atoms.map((atom) => {
    const cells = [atom.true, atom.false].map(
      (count) => `<td class="count ${count > 0 ? "full" : "none"}">${count}</td>`,
    );
    return `<tr><td><code>${safe(atom.text)}</code></td>${cells.join("")}</tr>`;
  });
  const head =
    '<tr><th scope="col">condition</th><th scope="col">decided as true</th><th scope="col">as false</th></tr>';
  return `<table>${head}${rows.join("")}</table>`;
}

function* printConfigs(configs: readonly ConfigCoverage[]): Generator<string> {
  if (configs.length === 0) return;
  const heads = reasons.map((reason) => `<th scope="col">${reason}</th>`).join("");
  yield `<h3>Reasons of token checks</h3>\n<table><tr><th scope="col">configuration</th>${heads}</tr>\n`;
  for (const { id, isChecked, reasons: counts } of configs) {
    const cells = reasons.map((reason) => {
      const isMissing = isChecked && expectedReasons.includes(reason) && counts[reason] === 0;
      const level = counts[reason] > 0 ? " full" : isMissing ? " none" : "";
      return `<td class="count${level}">${counts[reason]}</td>`;
    });
    yield `<tr><th scope="row">${safe(id)}${isChecked ? "" : " <small>(not checked)</small>"}</th>${cells.join("")}</tr>\n`;
  }
  yield "</table>\n";
}

function* printOperations({ input, report }: ZoneCoverage): Generator<string> {
  if (report.operations.length === 0) return;
  yield '<h3>Operations</h3>\n<table><tr><th scope="col">operation</th><th scope="col">id</th><th scope="col">verdicts</th></tr>\n';
  for (const [i, { id, verdicts }] of report.operations.entries()) {
    const { method = "", host = "", endpoint = "" } = input.operations?.[i] ?? {};
    const level = verdicts > 0 ? "full" : "none";
    yield `<tr><td><code>${safe(`${method} ${host}${endpoint}`)}</code></td><td>${safe(id)}</td><td class="count ${level}">${verdicts}</td></tr>\n`;
  }
  yield "</table>\n";
}

/** Control characters are made visible, and halves of surrogate pairs replaced. */
function safe(text: string): string {
  return escapeHtml(escapeControlCharacters(maskText(text).toWellFormed()));
}
