/** The analysis of a zone with invalid parts: what is invalid, and the findings about everything else. */
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { pointer } from "../../../errors.ts";
import type { TokenConfig, TokenRule } from "../model.ts";
import type { CustomRule, Ruleset } from "../rulesets/model.ts";
import type { ZoneInput } from "../zone/zone-input.ts";
import { type AnalyzeOptions, analyze } from "./analyze.ts";
import { type AnalysisCheck, finding } from "./findings/checks.ts";

/** A configuration that is valid and of which the analysis finds nothing: its key is the base point of P-256. */
const placeholderConfig: Omit<TokenConfig, "id"> = {
  token_sources: ['http.request.headers["authorization"][0]'],
  credentials: {
    keys: [
      {
        kty: "EC",
        crv: "P-256",
        alg: "ES256",
        kid: "placeholder",
        x: "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
        y: "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
      },
    ],
  },
};

/** A rule that never acts. */
const placeholderRule: Omit<TokenRule, "id"> = {
  action: "log",
  enabled: false,
  expression: 'http.request.method eq "GET"',
  selector: { include: [{ host: ["example.com"] }] },
};

/** A custom rule of which nothing is known. */
const placeholderCustomRule: Omit<CustomRule, "id"> = {
  action: "log",
  expression: "true",
  undecided: "it is invalid",
};

const customParts = /^\/(?:account_)?rulesets\/\d+\/rules\/\d+|^\/(?:(?:account_)?rulesets|lists)(?=\/|$)/;

/** The part of a zone that a pointer leads into. */
function partOf({ pointer = "" }: Diagnostic): string {
  const part = /^\/(?:configs|rules)\/\d+|^\/operations/.exec(pointer) ?? customParts.exec(pointer);
  return part?.[0] ?? "";
}

/** Other errors are about valid parts. */
function isInvalid({ rule }: Diagnostic<AnalysisCheck>): boolean {
  return rule === "invalid" || rule === "unknown-config";
}

type CustomPart = Pick<ZoneInput, "rulesets" | "account_rulesets" | "lists">;

/** The custom rules without the invalid ones; none at all when something else in them is invalid. */
function validCustomRules(
  { rulesets, account_rulesets, lists }: ZoneInput,
  invalid: ReadonlySet<string>,
): CustomPart | undefined {
  if (["/rulesets", "/account_rulesets", "/lists"].some((part) => invalid.has(part))) return undefined;
  const withPlaceholders = (list: readonly Ruleset[], member: string) =>
    list.map((ruleset, i) => {
      const rules = ruleset.rules?.map((rule, j) =>
        invalid.has(pointer(member, i, "rules", j))
          ? { ...placeholderCustomRule, id: `placeholder ${j}` }
          : rule,
      );
      return { ...ruleset, ...(rules && { rules }) };
    });
  return {
    ...(rulesets && { rulesets: withPlaceholders(rulesets, "rulesets") }),
    ...(account_rulesets && { account_rulesets: withPlaceholders(account_rulesets, "account_rulesets") }),
    ...(lists && { lists }),
  };
}

/**
 * The same as `analyze` for a valid zone. Of an invalid one, rules and configurations that are invalid are replaced by
 * others that change no finding, so that the rest is analyzed; without valid operations, hosts alone are known.
 */
export function analyzeValidParts(
  zone: ZoneInput,
  options: AnalyzeOptions,
): readonly Diagnostic<AnalysisCheck>[] {
  const found = analyze(zone, options);
  const invalid = new Set(found.filter(isInvalid).map(partOf));
  if (invalid.size === 0) return found;
  const { configs, rules, operations, url_normalization, name, plan } = zone;
  const custom = validCustomRules(zone, invalid);
  const rest = analyze(
    {
      configs: configs.map((config, i) =>
        invalid.has(`/configs/${i}`) ? { ...placeholderConfig, id: config.id } : config,
      ),
      rules: rules.map((rule, i) =>
        invalid.has(`/rules/${i}`) ? { ...placeholderRule, id: `placeholder ${i}` } : rule,
      ),
      ...(operations && !invalid.has("/operations") && { operations }),
      ...custom,
      ...(url_normalization && { url_normalization }),
      ...(name !== undefined && { name }),
      ...(plan && { plan }),
    },
    options,
  );
  if (invalid.has("") || rest.some(isInvalid)) {
    const message = "The valid parts of the zone were not analyzed, because of the invalid ones.";
    return [...found, finding("after-invalid", { pointer: "" }, message)];
  }
  const hasInvalidRule = [...invalid].some((at) => at.startsWith("/rules/") || customParts.test(at));
  const leftOut = "The custom rules were not analyzed, because of the invalid parts.";
  return [
    ...found,
    ...(custom === undefined ? [finding("after-invalid", { pointer: "/rulesets" }, leftOut)] : []),
    // An invalid rule could reference any configuration.
    ...rest.filter(
      (diagnostic) =>
        !invalid.has(partOf(diagnostic)) && !(hasInvalidRule && diagnostic.rule === "unused-config"),
    ),
  ];
}
