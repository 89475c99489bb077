/** The analysis of a zone with invalid parts: what is invalid, and the findings about everything else. */
import type { Diagnostic } from "../../../core/diagnostic.ts";
import type { TokenConfig, TokenRule } from "../model.ts";
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

/** The part of a zone that a pointer leads into. */
function partOf({ pointer = "" }: Diagnostic): string {
  return /^\/(?:configs|rules)\/\d+|^\/operations/.exec(pointer)?.[0] ?? "";
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
  const invalid = new Set(found.filter(({ level }) => level === "error").map(partOf));
  if (invalid.size === 0) return found;
  const { configs, rules, operations } = zone;
  const rest = analyze(
    {
      configs: configs.map((one, i) =>
        invalid.has(`/configs/${i}`) ? { ...placeholderConfig, id: one.id } : one,
      ),
      rules: rules.map((one, i) =>
        invalid.has(`/rules/${i}`) ? { ...placeholderRule, id: `placeholder ${i}` } : one,
      ),
      ...(operations && !invalid.has("/operations") && { operations }),
    },
    options,
  );
  if (invalid.has("") || rest.some(({ level }) => level === "error")) {
    const message = "The valid parts of the zone were not analyzed, because of the invalid ones.";
    return [...found, finding("undecided", { pointer: "" }, message)];
  }
  const hasInvalidRule = [...invalid].some((at) => at.startsWith("/rules/"));
  return [
    ...found,
    // An invalid rule could reference any configuration.
    ...rest.filter((one) => !invalid.has(partOf(one)) && !(hasInvalidRule && one.rule === "unused-config")),
  ];
}
