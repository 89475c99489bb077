/** The words of custom rules, and messages about the names that they lack. */

import { didYouMean } from "../../../../core/suggest.ts";
import { quote } from "../../../../errors.ts";
import { combinators, quantifiers, tokenTests } from "../ast.ts";
import { customFields, phaseOfField } from "../language/custom-fields.ts";
import { customFunctions, functionPhases } from "../language/custom-functions.ts";
import { customOperators } from "../language/custom-operators.ts";
import { providerKind } from "../provider-names.ts";

/** Every word with a meaning, fields excepted. */
export const keywords: ReadonlySet<string> = new Set([
  ...combinators,
  ...Object.values(customOperators)
    .flatMap(Object.keys)
    .flatMap((name) => name.split(" ")),
  ...Object.keys(customFunctions),
  ...quantifiers,
  "not",
  "true",
  "false",
]);

/** The message about a name that is not one of custom rules; undefined for a keyword. */
export function adviseName(name: string): string | undefined {
  if (keywords.has(name) || customFields.has(name)) return undefined;
  if (tokenTests.some((test) => test === name))
    return `\`${name}\` is a function of token rules; in a custom rule read a claim of the valid token, as in \`lookup_json_string(http.request.jwt.claims["<id>"][0], "sub") eq "..."\`.`;
  if (/^http\.request\.jwt\.claims\.exp(?:\.|$)/.test(name))
    return `${quote(name)} does not exist; write \`lookup_json_integer(http.request.jwt.claims["<id>"][0], "exp")\`.`;
  const phase = phaseOfField(name) ?? functionPhases.get(name);
  if (phase !== undefined)
    return `${quote(name)} is not available in custom rules; use it in a ruleset of the phase \`${phase}\`, which is accepted and not evaluated.`;
  const near = suggest(name);
  const what = {
    field: near === "" ? "is not a field of custom rules" : "is an unknown field",
    function: "is a function of the provider that is not supported here",
    unknown: "is unknown",
  }[providerKind(name) ?? "unknown"];
  return `${quote(name)} ${what}${near || "; docs/reference.md lists the fields and functions of custom rules."}`;
}

/** Longer names are not compared with all others. */
const maxSuggested = 64;

function suggest(name: string): string {
  return name.length > maxSuggested ? "" : didYouMean(name, [...customFields.keys(), ...keywords]);
}
