/** The part of a simulator that the screen Requests needs, over the text of the playground: nothing is stored. */
import { loadPatternEngine } from "#pattern-engine";
import { platformVerifier } from "#verify-node";
import { parseJsoncSource } from "../../core/json/comments.ts";
import { createValueIndex, spliceAll } from "../../core/json/edits.ts";
import { profiles } from "../../core/profiles.ts";
import { compileZone, type ZoneOptions } from "../../engine/tokens/zone/zone.ts";
import { checkDraft, type RuleDraft, withDraft } from "../../service/tokens/drafts/check-draft.ts";
import type { TokenEdge } from "../data/data-sources.ts";
import { RequestFault } from "../guard/request-fault.ts";
import { type PlaygroundZone, readRules } from "./read-rules.ts";

const { precedence, verifier } = profiles.spec;
const options = { clock: Date.now, precedence, verifier: platformVerifier ?? verifier } satisfies ZoneOptions;

/** The zone of a text, with the engine of regular expressions loaded. @throws {RequestFault} with the first problem */
export async function requireZone(text: string): Promise<PlaygroundZone> {
  await loadPatternEngine();
  const { zone, problems, lineOf } = readRules(text);
  if (zone) return zone;
  const [first] = problems;
  const line = lineOf(first?.pointer ?? "");
  const place = line === undefined ? "" : `Line ${line} of the rules: `;
  throw new RequestFault(400, `${place}${first?.message ?? "The rules cannot be read."}`);
}

/** A simulator over a text. `saved` is called with the changed text when a rule is edited. */
export function rulesEdge(text: string, saved: (text: string) => void): TokenEdge {
  return {
    tokens: {
      evaluate: async (_zone, request) => {
        const { input } = await requireZone(text);
        return (await compileZone(input, options)).evaluate(request);
      },
      drafts: {
        read: async () => requireZone(text),
        now: () => Date.now(),
        check: async (_zone, draft, request) => {
          const { input } = await requireZone(text);
          if ("rulesetId" in draft) throw customRules();
          return checkDraft(input, withDraft(input, draft, "", ""), options, request);
        },
        saveCustom: async () => {
          throw customRules();
        },
      },
      rules: {
        create: async (_zone, rule) => saved(withNewRule(text, await requireZone(text), rule)),
        edit: async (_zone, id, members) =>
          saved(withChangedRule(text, await requireZone(text), id, members)),
      },
    },
  };
}

function customRules(): RequestFault {
  return new RequestFault(
    400,
    "This page evaluates token validation rules; custom rules need the workbench.",
  );
}

/** The text with a rule after the others; the list of rules is printed again. */
function withNewRule(text: string, { at, input }: PlaygroundZone, rule: Omit<RuleDraft, "ruleId">): string {
  const rules = valueAt(text, `${at}/rules`);
  if (!Array.isArray(rules))
    throw new RequestFault(400, "The rules must have the array `rules` to add one to.");
  const taken = new Set(input.rules.map(({ id }) => id));
  let number = rules.length + 1;
  while (taken.has(`rule-${number}`)) number++;
  return replaceValue(text, `${at}/rules`, [...rules, { id: `rule-${number}`, ...defaults, ...rule }]);
}

const defaults = { title: "", action: "block", enabled: true, selector: {} } as const;

/** The text with members of a rule changed; the rule is printed again. */
function withChangedRule(text: string, { at, input }: PlaygroundZone, id: string, members: object): string {
  const position = input.rules.findIndex((rule) => rule.id === id);
  if (position < 0) throw new RequestFault(404, "The rules have no such rule any more.");
  const pointer = `${at}/rules/${position}`;
  return replaceValue(text, pointer, { ...(valueAt(text, pointer) as object), ...members });
}

function valueAt(text: string, pointer: string): unknown {
  const parsed = parseJsoncSource(text);
  let value: unknown = parsed.ok ? parsed.value.value : undefined;
  for (const name of pointer.split("/").slice(1))
    value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}

/** The value is indented as its line is; every other character stays as it is. */
function replaceValue(text: string, pointer: string, value: unknown): string {
  const { start, end } = createValueIndex(text)(pointer);
  const [indent = ""] = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", start - 1) + 1)) ?? [];
  return spliceAll(text, [
    { start, end, content: JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`) },
  ]);
}
