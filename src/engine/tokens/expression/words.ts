/** The words of expressions, and messages about the names that a kind of rules lacks. */

import { didYouMean, nearest, similarWords } from "../../../core/suggest.ts";
import { quote } from "../../../errors.ts";
import { fieldOf, functionOf } from "./hints/other-words.ts";
import { hasField, knownFields } from "./language/fields.ts";
import { functionNames, functions, hasFunction, isFunction, isTokenTest } from "./language/functions.ts";
import { operators } from "./language/operators.ts";
import { nameKind, type RuleKind, ruleKinds } from "./language/rule-kinds.ts";
import { isProviderField } from "./provider-names.ts";
import { combinators, quantifiers } from "./tree.ts";

/** The words of a kind of rules. */
interface Words {
  /** Every word with a meaning, fields excepted. */
  readonly keywords: ReadonlySet<string>;
  readonly fields: readonly string[];
}

const words = new Map<RuleKind, Words>();

function wordsOf(rules: RuleKind): Words {
  const known = words.get(rules) ?? collectWords(rules);
  words.set(rules, known);
  return known;
}

function collectWords(rules: RuleKind): Words {
  return {
    keywords: new Set([
      ...combinators,
      ...Object.values(operators)
        .flatMap(Object.keys)
        .flatMap((name) => name.split(" ")),
      ...functionNames.filter((name) => hasFunction(rules, name)),
      ...quantifiers,
      "not",
      "true",
      "false",
    ]),
    fields: [...knownFields].flatMap(([name, field]) => (hasField(rules, field) ? name : [])),
  };
}

/** The keywords of a kind of rules: every word with a meaning, fields excepted. */
export function keywordsOf(rules: RuleKind): ReadonlySet<string> {
  return wordsOf(rules).keywords;
}

/** The message about a name that is not a field of a kind of rules; it suggests fields only. */
export function adviseField(rules: RuleKind, name: string): string {
  const other = knownFields.has(name) ? adviseName(rules, name) : undefined;
  if (other !== undefined) return other;
  const near = nearestField(rules, name, false);
  const suggestion =
    near === undefined ? didYouMean(name, wordsOf(rules).fields) : `; did you mean \`${near}\`?`;
  return suggestion === ""
    ? `${quote(name)} is not a field of ${nameKind(rules)}; docs/reference.md lists the fields.`
    : `${quote(name)} is an unknown field${suggestion}`;
}

/** The message about a name that a kind of rules lacks; undefined for its own words. */
export function adviseName(rules: RuleKind, name: string): string | undefined {
  const { keywords, fields } = wordsOf(rules);
  if (isTokenTest(name))
    return rules === "token"
      ? `\`${name}\` is a test of its own: it is not a value of another function or comparison.`
      : `\`${name}\` is a function of token rules; in a custom rule read a claim of the valid token, as in \`lookup_json_string(http.request.jwt.claims["<id>"][0], "sub") eq "..."\`.`;
  if (keywords.has(name) || fields.includes(name)) return undefined;
  const others = kindsThatHave(name);
  if (others.length > 0)
    return `${quote(name)} is not available in ${nameKind(rules)}; ${
      others.includes("custom")
        ? "custom rules have it."
        : `it exists in ${others.map(nameKind).join(", ")}, which are checked and not evaluated.`
    }`;
  if (/^http\.request\.jwt\.claims\.exp(?:\.|$)/.test(name))
    return `${quote(name)} does not exist; write \`lookup_json_integer(http.request.jwt.claims["<id>"][0], "exp")\`.`;
  const near = suggest(rules, name);
  const asField = near === "" ? `is not a field of ${nameKind(rules)}` : "is an unknown field";
  const reading = isProviderField(name) ? asField : "is unknown";
  return `${quote(name)} ${reading}${near || `; docs/reference.md lists the fields and functions of ${nameKind(rules)}.`}`;
}

function kindsThatHave(name: string): readonly RuleKind[] {
  const field = knownFields.get(name);
  if (field !== undefined) return ruleKinds.filter((kind) => hasField(kind, field));
  return isFunction(name) ? functions[name].rules : [];
}

/** Longer names are not compared with all others. */
const maxSuggested = 64;

function suggest(rules: RuleKind, name: string): string {
  const { keywords, fields } = wordsOf(rules);
  const near = nearestField(rules, name, false) ?? functionOf(name);
  if (near !== undefined && (keywords.has(near) || !isFunction(near))) return `; did you mean \`${near}\`?`;
  if (name.length > maxSuggested) return "";
  const longer = fields.filter((field) => hasParts(field, name)).slice(0, 1);
  return (
    didYouMean(name, [...fields, ...keywords]) || longer.map((field) => didYouMean(field, longer)).join("")
  );
}

/** Whether a name has the parts of another one in their order, and one more. */
function hasParts(name: string, other: string): boolean {
  const [parts, others] = [name.split("."), other.split(".")];
  if (others.length < 2 || parts.length !== others.length + 1) return false;
  return parts.some((_, i) => parts.toSpliced(i, 1).join(".") === other);
}

/**
 * The field of a kind of rules that a name means: its own, that of another product's name, the member of a map that is
 * written with a dot, or the one with the most final parts in common. Undefined without one.
 */
export function nearestField(rules: RuleKind, name: string, isExact: boolean): string | undefined {
  const has = (field: string | undefined) => {
    const known = knownFields.get(field ?? "");
    return known !== undefined && hasField(rules, known);
  };
  if (has(name)) return name;
  if (isExact || name.length > maxSuggested) return undefined;
  const other = fieldOf(name);
  return has(other) ? other : (memberIn(name, has) ?? nearestByParts(rules, name));
}

/** Starts of names whose rest is a name in a map. */
const maps: Readonly<Record<string, string>> = {
  headers: "http.request.headers",
  header: "http.request.headers",
  cookies: "http.request.cookies",
  args: "http.request.uri.args",
};

function memberIn(name: string, has: (field: string) => boolean): string | undefined {
  const [, start = "", rest = ""] = /^(?:http\.)?(?:request\.)?(?:uri\.)?([a-z]+)\.(.+)$/i.exec(name) ?? [];
  const map = Object.hasOwn(maps, start) ? maps[start] : undefined;
  return map !== undefined && has(map) && /^[\w-]+$/.test(rest)
    ? `${map}["${rest.toLowerCase()}"]`
    : undefined;
}

/** The field with the same first part and the most final parts in common. */
function nearestByParts(rules: RuleKind, name: string): string | undefined {
  const [first, ...parts] = name.toLowerCase().replaceAll("-", "_").split(".");
  for (let from = 0; from < parts.length; from++) {
    const end = `.${parts.slice(from).join(".")}`;
    const fields = wordsOf(rules).fields.filter(
      (field) => field.startsWith(`${first}.`) && field.endsWith(end),
    );
    const [found] = nearest(name, fields, Infinity);
    if (found !== undefined && found !== name) return found;
  }
  return undefined;
}

/** Maximum number of similar words. */
const maxWords = 5;

/** The words with a similar spelling, best first: of those that an error names, and of all others. */
export function nearWords(rules: RuleKind, found: string, expected: readonly string[]): readonly string[] {
  const { keywords, fields } = wordsOf(rules);
  const names = expected.flatMap((entry) => /^`([\w.]+)/.exec(entry)?.[1] ?? []);
  const known = [...new Set([...names, ...fields, ...keywords])];
  return similarWords(found, known).slice(0, maxWords);
}
