/**
 * Random edits of a zone's JSON, as a person or a script makes them. They know nothing of the mutants from which suites are
 * generated: strings and patterns are edited character by character, in the text of the expression.
 */

import type { Operation, TokenConfig, TokenRule } from "../../../../src/engine/tokens/model.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { below, pick, type Random } from "./random-zones.ts";

/** An edited zone; undefined when there is nothing of the kind to edit. */
type Edit = (zone: ZoneInput, random: Random) => ZoneInput | undefined;

function withRule(
  zone: ZoneInput,
  random: Random,
  edit: (rule: TokenRule) => TokenRule | undefined,
): ZoneInput | undefined {
  const index = below(random, zone.rules.length);
  const edited = edit(zone.rules[index] as TokenRule);
  return edited && { ...zone, rules: zone.rules.with(index, edited) };
}

function without<T>(list: readonly T[], random: Random): T[] {
  return list.toSpliced(below(random, list.length), 1);
}

function moved<T>(list: readonly T[], random: Random): T[] {
  const from = below(random, list.length);
  const moved = list[from] as T;
  return list.toSpliced(from, 1).toSpliced(below(random, list.length), 0, moved);
}

function withConfig(
  zone: ZoneInput,
  random: Random,
  edit: (sources: readonly string[]) => string[],
): ZoneInput {
  const index = below(random, zone.configs.length);
  const config = zone.configs[index] as TokenConfig;
  const changed = { ...config, token_sources: edit(config.token_sources) };
  return { ...zone, configs: zone.configs.with(index, changed) };
}

function withOperation(
  zone: ZoneInput,
  random: Random,
  edit: (operation: Operation) => Partial<Operation>,
): ZoneInput | undefined {
  const { operations } = zone;
  if (operations === undefined || operations.length === 0) return undefined;
  const index = below(random, operations.length);
  const operation = operations[index] as Operation;
  return { ...zone, operations: operations.with(index, { ...operation, ...edit(operation) }) };
}

const hostsOf = ({ selector }: TokenRule) => (selector.include ?? []).flatMap(({ host }) => host ?? []);
const excludedOf = ({ selector }: TokenRule) =>
  (selector.exclude ?? []).flatMap(({ operation_ids }) => operation_ids ?? []);

/** Replaces one of the matches of a pattern in the text of an expression. */
function inExpression(pattern: RegExp, replace: (found: string, random: Random) => string): Edit {
  return (zone, random) =>
    withRule(zone, random, (rule) => {
      const found = [...rule.expression.matchAll(pattern)];
      if (found.length === 0) return undefined;
      const { 0: text, index } = pick(random, found);
      const before = rule.expression.slice(0, index);
      const after = rule.expression.slice(index + text.length);
      return { ...rule, expression: before + replace(text, random) + after };
    });
}

/** One character deleted, inserted, replaced, doubled, or two exchanged; sometimes the end is cut off. */
export function editText(text: string, random: Random, alphabet: string): string {
  const characters = [...text];
  const at = below(random, characters.length);
  const other = pick(random, [...alphabet]);
  const edits: readonly (() => string[])[] = [
    () => characters.toSpliced(at, 1),
    () => characters.toSpliced(at, 0, other),
    () => [...characters, other],
    () => characters.with(at, other),
    () => characters.toSpliced(at, 0, characters[at] ?? other),
    () => characters.toSpliced(at, 2, characters[at + 1] ?? "", characters[at] ?? ""),
    () => characters.slice(0, at),
    () => characters.slice(at),
  ];
  return characters.length === 0 ? other : pick(random, edits)().join("");
}

const letters = "abcdefgorxyzAG0189-/._";
const patternLetters = `${letters}*?+|^$[](){},.\\`;

/** The edits by kind. */
export const zoneEdits = {
  "rule removed": (zone, random) => ({ ...zone, rules: without(zone.rules, random) }),
  "operation removed": (zone, random) =>
    zone.operations?.length ? { ...zone, operations: without(zone.operations, random) } : undefined,
  "source removed": (zone, random) => withConfig(zone, random, (sources) => without(sources, random)),
  "host removed": (zone, random) =>
    withRule(zone, random, (rule) => {
      const selector = { ...rule.selector, include: [{ host: without(hostsOf(rule), random) }] };
      return { ...rule, selector };
    }),
  "operand removed": inExpression(/(?:^|\()\([^()]*(?:\([^()]*\)[^()]*)*\) (?:or|and|xor) /g, () => "("),
  "string of a set removed": inExpression(/"[a-zA-Z]+" (?="|})|(?<="[a-zA-Z]+") "[a-zA-Z]+"/g, () => ""),
  "rule moved": (zone, random) => ({ ...zone, rules: moved(zone.rules, random) }),
  "rules reversed": (zone) => ({ ...zone, rules: zone.rules.toReversed() }),
  "sources moved": (zone, random) => withConfig(zone, random, (sources) => moved(sources, random)),
  "action changed": (zone, random) =>
    withRule(zone, random, (rule) => ({ ...rule, action: rule.action === "log" ? "block" : "log" })),
  "enabled changed": (zone, random) =>
    withRule(zone, random, (rule) => ({ ...rule, enabled: !rule.enabled })),
  "exclusions changed": (zone, random) =>
    withRule(zone, random, (rule) => {
      const excluded = new Set(excludedOf(rule));
      for (const { operation_id: id } of zone.operations ?? []) {
        if (random() < 0.6) continue;
        if (!excluded.delete(id)) excluded.add(id);
      }
      const selector = { ...rule.selector, exclude: [{ operation_ids: [...excluded] }] };
      return zone.operations === undefined ? undefined : { ...rule, selector };
    }),
  "bound changed": inExpression(/(?<= (?:ge|lt|eq) )[0-9]+/g, (text, random) =>
    String(Math.max(0, Number(text) + pick(random, [-8, -3, -2, -1, 1, 2, 3, 8]))),
  ),
  "source added": (zone, random) =>
    withConfig(zone, random, (sources) => {
      const known = zone.configs.flatMap((config) => config.token_sources);
      const added = pick(random, known);
      return sources.includes(added)
        ? [...sources]
        : sources.toSpliced(below(random, sources.length + 1), 0, added);
    }),
  "host added": (zone, random) =>
    withRule(zone, random, (rule) => {
      const host = pick(random, zone.rules.flatMap(hostsOf));
      return {
        ...rule,
        selector: { ...rule.selector, include: [{ host: [...new Set([...hostsOf(rule), host])] }] },
      };
    }),
  "method changed": (zone, random) =>
    withOperation(zone, random, () => ({ method: pick(random, zone.operations ?? []).method })),
  "endpoint changed": (zone, random) =>
    withOperation(zone, random, ({ endpoint }) => {
      const segments = endpoint.slice(1).split("/");
      const at = below(random, segments.length);
      const isVariable = segments[at]?.startsWith("{");
      const changed = pick(random, [
        segments.with(at, isVariable ? "users" : "{any}"),
        [...segments, "{more}"],
        segments.toSpliced(at, 1),
      ]);
      return { endpoint: `/${changed.join("/")}` };
    }),
  "operator changed": inExpression(/ (?:eq|ne|ge|lt|contains|wildcard|in) /g, (_, random) =>
    pick(random, [" eq ", " ne ", " contains ", " gt ", " le ", " ge ", " strict wildcard "]),
  ),
  "combinator changed": inExpression(/ (?:or|and|xor) /g, (_, random) =>
    pick(random, [" or ", " and ", " xor "]),
  ),
  "not changed": inExpression(/not \(|^\(/g, (text) => (text === "(" ? "not (" : "(")),
  "token test changed": inExpression(/is_jwt_(?:valid|present)\("c[01]"\)/g, (text, random) =>
    pick(random, [
      text.replace("valid", "present"),
      text.includes("c0") ? text.replace("c0", "c1") : text.replace("c1", "c0"),
    ]),
  ),
  "position changed": inExpression(/(?<=\]\[)[0-9]+(?=\])/g, (text) => String(Number(text) + 1)),
  "string changed": inExpression(/(?<= (?:eq|contains) "|, "|\{(?:"\w+" )*")[^"]+(?=")/g, (text, random) =>
    editText(text, random, letters),
  ),
  "wildcard changed": inExpression(/(?<= wildcard ")[^"]+(?=")/g, (text, random) =>
    editText(text, random, `${letters}***`),
  ),
  "pattern changed": inExpression(/(?<= matches ")[^"]+(?=")/g, (text, random) =>
    editText(text, random, patternLetters),
  ),
} as const satisfies Readonly<Record<string, Edit>>;

/** A kind of edits. */
export type EditKind = keyof typeof zoneEdits;

/** The kinds, and the minimum share of the edits that a generated suite notices. */
export const minShares: { readonly [K in EditKind]: number } = {
  "rule removed": 1,
  "operation removed": 1,
  "source removed": 1,
  "host removed": 1,
  "operand removed": 1,
  "string of a set removed": 1,
  "rule moved": 1,
  "rules reversed": 1,
  "sources moved": 1,
  "action changed": 1,
  "enabled changed": 1,
  "exclusions changed": 1,
  "bound changed": 1,
  "source added": 0.95,
  "host added": 0.95,
  "method changed": 0.95,
  "endpoint changed": 0.95,
  "operator changed": 0.95,
  "combinator changed": 0.95,
  "not changed": 0.95,
  "token test changed": 0.95,
  "position changed": 0.95,
  "string changed": 0.95,
  "wildcard changed": 0.95,
  "pattern changed": 0.95,
};
