/** The generated page of tables: codes, options, reasons, checks. */
import { readFileSync } from "node:fs";
import { noteRules } from "../src/cli/output/results/code-rules.ts";
import { type ProfileSettings, profiles } from "../src/core/profiles.ts";
import { variantOptions } from "../src/engine/images/render/variant.ts";
import { transformOptions } from "../src/engine/images/transform/options.ts";
import { analysisChecks } from "../src/engine/tokens/analysis/findings/checks.ts";
import { fieldSources, hasField, knownFields } from "../src/engine/tokens/expression/language/fields.ts";
import {
  entryOfFunction,
  functionNames,
  hasFunction,
  signatureOf,
} from "../src/engine/tokens/expression/language/functions.ts";
import { type Operator, operators } from "../src/engine/tokens/expression/language/operators.ts";
import { nameKind, type RuleKind, ruleKinds } from "../src/engine/tokens/expression/language/rule-kinds.ts";
import { reasons } from "../src/engine/tokens/model.ts";
import { isCheckedPhase } from "../src/engine/tokens/rulesets/input/other-rules.ts";
import { phases } from "../src/engine/tokens/rulesets/input/phases.ts";
import { customPhase } from "../src/engine/tokens/rulesets/model.ts";
import { mutantCatalogue, mutantKinds, notMutated } from "../src/engine/tokens/suite/mutants/catalogue.ts";
import { catalogue } from "../src/errors.ts";
import type { Member, MemberPlace } from "../src/schemas/member.ts";
import { resources } from "../src/schemas/resources.ts";
import { defaultLimits } from "../src/service/limits.ts";
import { tokenFaults } from "../src/testing/tokens/faults.ts";
import { tableOf } from "./markdown.ts";

/** The Markdown of `docs/reference.md`. */
export function referencePage(): string {
  return [
    "# Reference",
    "",
    "<!-- Written by scripts/reference-page.ts from the code; change the code, not this page. -->",
    "",
    "The codes, options, limits and words of responses, with their meaning.",
    "",
    "## Error codes",
    "",
    "Every error code of a response. `source` is where the code comes from: the interface's specification (`spec`), the",
    "real service's public documentation (`observed`), or edgeproof (`chosen`). The checks behind the codes of proxy",
    "applications are in [proxy-codes.md](proxy-codes.md).",
    "",
    ...codes(),
    "",
    "Codes of `messages`, which accompany a success:",
    "",
    ...notes(),
    "",
    "## Options in which the profiles differ",
    "",
    "Each is an option of `createEdge`; `profile` sets the defaults of all of them. The option `brand`, the comparison of",
    "domain names with patterns, belongs to no profile.",
    "",
    ...settings(),
    "",
    "## Limits",
    "",
    "Options of `createEdge({ limits })`. The limits of the image functions are in [SECURITY.md](../SECURITY.md#limits).",
    "",
    ...limits(),
    "",
    "## Options of variants",
    "",
    ...tableOf(
      ["option", "values", "default", "meaning"],
      Object.entries(variantOptions).map(([name, { kind, usual, help }]) => {
        const values =
          "values" in kind
            ? kind.values.map((value) => `\`${value}\``).join(", ")
            : `${kind.min} to ${kind.max}`;
        return [`\`${name}\``, values, usual === undefined ? "" : `\`${usual}\``, help];
      }),
    ),
    "",
    "## Options of transformations",
    "",
    "Fidelity says how close the result is to the provider's: the same size, pixels or effect (`exact`), close to it",
    "(`approximate`), or without the option's effect, with a warning (`none`). Encoders and scaling kernels are never the",
    "provider's.",
    "",
    ...tableOf(
      ["option", "values", "places", "fidelity", "rendered by", "meaning"],
      Object.entries(transformOptions).map(([name, { kind, aliases, places, fidelity, how, help }]) => [
        [name, ...aliases].map((alias) => `\`${alias}\``).join(", "),
        kind.allowed,
        places.join(", "),
        fidelity,
        how,
        help,
      ]),
    ),
    "",
    "## Members of resources",
    "",
    "The kinds of resources, and where each member is: in requests that create or change one, in answers, and in the",
    "[world file](world.md). Imports and world files also read the other names, and an object around it.",
    "",
    ...members(),
    "",
    "## Fields, functions and operators of expressions",
    "",
    "All rules have one language, whose grammar is in",
    "[interface/tokens.md](interface/tokens.md#expressions); the column `rules` says which kind has a word. Other fields and",
    'functions of the provider are errors. Of a map, the entry of a name is an array: `field["name"][0]`, and it has fields',
    "`.names` and `.values`.",
    "",
    ...expressions(),
    "",
    ...otherPhaseLines(),
    "",
    "## Mutants",
    "",
    "The changes that `suiteFor` makes a request for, and that `edgeproof suite mutate` tests a list of requests with. One",
    "mutant has one of them.",
    "",
    ...mutants(),
    "",
    "Not mutated, because no finite list of requests notices it (`npx edgeproof diff` compares two worlds):",
    "",
    ...notMutated.map((fact) => `- ${fact}`),
    "",
    "## Outcomes of a token check",
    "",
    "`verdict.trace.tokens[].reason`, in the order of the checks; the first that applies is reported.",
    "",
    ...reasons.map((reason) => `- \`${reason}\``),
    "",
    "## Checks of the rule analysis",
    "",
    "`analyze(zone)` and `edgeproof check`.",
    "",
    ...tableOf(
      ["check", "level", "finding", "fix"],
      Object.entries(analysisChecks).map(([id, { level, description, help }]) => [
        `\`${id}\``,
        level,
        description,
        help,
      ]),
    ),
    "",
    "## Token faults",
    "",
    "The tokens of `mintFaultyToken(key, fault)`, and the reason for which each is rejected.",
    "",
    ...tableOf(
      ["fault", "reason", "description"],
      Object.entries(tokenFaults).map(([name, { reason, description }]) => [
        `\`${name}\``,
        `\`${reason}\``,
        description,
      ]),
    ),
    "",
  ].join("\n");
}

const places = ["create", "change", "answer", "world"] as const satisfies readonly MemberPlace[];

function members(): string[] {
  const rows = Object.entries(resources).flatMap(([kind, { members }]) =>
    Object.entries<Member>(members).map(([name, { usual, also, within, help, ...schemas }]) => [
      kind.replaceAll("_", " "),
      `\`${name}\``,
      places.filter((place) => schemas[place] !== "none").join(", "),
      usual === undefined ? "" : `\`${JSON.stringify(usual)}\``,
      [...also, ...(within === "none" ? [] : [`${within}.${name}`])].map((path) => `\`${path}\``).join(", "),
      help,
    ]),
  );
  return tableOf(["resource", "member", "in", "default in a world file", "other names", "meaning"], rows);
}

/** The kinds of expressions that have a word. */
function rulesOf(has: (kind: RuleKind) => boolean): string {
  const found = ruleKinds.filter(has);
  if (found.length === ruleKinds.length) return "all";
  if (found.length === ruleKinds.length - 1 && !has("token")) return "all but token rules";
  return found.map(nameKind).join(", ");
}

function expressions(): string[] {
  const ofBase = [...knownFields].filter(([, { part }]) => part === undefined);
  return [
    ...tableOf(
      ["field", "type", "rules", "from", "value"],
      ofBase.map(([name, field]) => {
        const rules = rulesOf((kind) => hasField(kind, field));
        return [`\`${name}\``, field.type, rules, fieldSources[field.source], field.help];
      }),
    ),
    "",
    ...tableOf(
      ["function", "rules", "result", "value"],
      functionNames.map((name) => {
        const { result, help } = entryOfFunction(name);
        const rules = rulesOf((kind) => hasFunction(kind, name));
        return [`\`${signatureOf(name)}\``, rules, result === "same" ? "same type" : result, help];
      }),
    ),
    "",
    ...tableOf(
      ["operator", "value", "operand", "true when"],
      Object.entries(operators).flatMap(([type, table]) =>
        Object.entries<Operator<never>>(table).map(([name, { form, operand, help }]) => [
          [name, ...form].map((word) => `\`${word}\``).join(", "),
          type,
          operand,
          help,
        ]),
      ),
    ),
  ];
}

/** The phases that are not evaluated. */
function otherPhaseLines(): string[] {
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  const others = phases.filter((phase) => phase !== customPhase && !isCheckedPhase(phase));
  return [
    `Rules of these phases are not evaluated; their expressions are checked: ${list(phases.filter(isCheckedPhase))}.`,
    "",
    `Rulesets of these phases are accepted with a note: ${list(others)}.`,
  ];
}

function codes(): string[] {
  const rows = Object.entries(catalogue).map(([code, { name, area, status, source }]) => {
    return [code, name, area, String(status), source];
  });
  return tableOf(["code", "name", "area", "status", "source"], rows);
}

function notes(): string[] {
  const rows = Object.values(noteRules).map(({ code, description, source }) => [
    String(code),
    description,
    source ?? "",
  ]);
  return tableOf(["code", "meaning", "source"], rows);
}

function settings(): string[] {
  const meanings = docstringsOf("../src/core/profiles.ts", "interface ProfileSettings");
  const names = Object.keys(profiles.spec) as (keyof ProfileSettings)[];
  const rows = names.map((name) => {
    const { spec, provider } = profiles;
    return [`\`${name}\``, asText(spec[name]), asText(provider[name]), meanings.get(name) ?? ""];
  });
  return tableOf(["option", "`spec`", "`provider`", "meaning"], rows);
}

function limits(): string[] {
  const meanings = docstringsOf("../src/service/limits.ts", "interface Limits");
  return tableOf(
    ["limit", "default", "maximum of"],
    Object.entries(defaultLimits).map(([name, value]) => {
      return [`\`${name}\``, value.toLocaleString("en-US"), meanings.get(name) ?? ""];
    }),
  );
}

function asText(value: unknown): string {
  if (value === Number.POSITIVE_INFINITY) return "any";
  if (typeof value !== "object" || value === null) return `\`${value}\``;
  const members = Object.entries(value).map(
    ([name, member]) => `${name}: ${asText(member).replaceAll("`", "")}`,
  );
  return members.length === 0 ? "none" : members.join(", ");
}

/** Docstrings of the members of a declaration, on one line each. */
function docstringsOf(path: string, declaration: string): ReadonlyMap<string, string> {
  const code = readFileSync(new URL(path, import.meta.url), "utf8");
  const start = code.indexOf(declaration);
  const body = code.slice(start, code.indexOf("\n}", start));
  const members = body.matchAll(
    /\/\*\*(?:\s*\n\s*\*)?\s*((?:[^*]|\*(?!\/))*?)\s*\*\/\s*(?:readonly )?(\w+)\??:/g,
  );
  return new Map(
    [...members].map(([, text = "", name = ""]) => [name, text.replaceAll(/\s*\n\s*\*\s*/g, " ")]),
  );
}

function mutants(): string[] {
  const rows = mutantKinds.map((kind) => {
    const { part, changes, example, since } = mutantCatalogue[kind];
    const [from, to] = example.map((text) => (text === "" ? "none" : `\`${text}\``));
    return [`\`${kind}\``, part, changes, `${from} becomes ${to}`, since];
  });
  return tableOf(["kind", "part", "changes", "example", "since"], rows);
}
