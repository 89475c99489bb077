/** Evaluates an expression of a custom rule for a request, with tokens whose verification is given. */
import { compileCustom } from "../../../../../src/engine/tokens/expression/compile.ts";
import { createProgram } from "../../../../../src/engine/tokens/expression/compile-value.ts";
import { parseExpression } from "../../../../../src/engine/tokens/expression/parser.ts";
import type { CompiledList } from "../../../../../src/engine/tokens/expression/values/lists.ts";
import {
  type ClaimSource,
  startValues,
} from "../../../../../src/engine/tokens/expression/values/request-values.ts";
import type { SimulatedRequest } from "../../../../../src/engine/tokens/model.ts";
import { readRequest } from "../../../../../src/engine/tokens/zone/request.ts";

/** A request, by default `GET https://www.example.com/`, and the payloads of valid tokens by configuration. */
export interface CustomCase extends Partial<SimulatedRequest> {
  readonly path?: string;
  readonly tokens?: Readonly<Record<string, string>>;
  readonly configurations?: readonly string[];
  readonly lists?: ReadonlyMap<string, CompiledList>;
  readonly nowMs?: number;
}

/** Tokens that count as verified. */
export function claimsOf(tokens: Readonly<Record<string, string>>, ids = Object.keys(tokens)): ClaimSource {
  const valid = new Map(
    Object.entries(tokens).map(([id, payload]) => {
      const token = `e30.${Buffer.from(payload).toString("base64url")}.c2ln`;
      return [id, { token, claims: JSON.parse(payload) as Record<string, unknown> }];
    }),
  );
  return { ids, valid: (id) => valid.get(id) };
}

/** The value of an expression; `needs` when it is unknown. @throws Error with the message and position of an error */
export function evaluateCustom(text: string, given: CustomCase = {}): boolean | { needs: string[] } {
  const { path = "/", tokens = {}, configurations = ["C1", "C2"], lists = new Map(), nowMs = 1.8e12 } = given;
  const parsed = parseExpression(text, { rules: "custom" });
  if (!parsed.ok) throw new Error(`${parsed.problems[0].column}: ${parsed.problems[0].message}`);
  const program = createProgram({ configurations: new Set(configurations), lists });
  const compiled = compileCustom(program, text, parsed.value);
  if (!compiled.ok) throw new Error(compiled.problems[0].message);
  const request: SimulatedRequest = { method: "GET", url: `https://www.example.com${path}`, ...given };
  const values = startValues(
    program,
    readRequest(request),
    request,
    nowMs,
    claimsOf(tokens, [...configurations]),
  );
  return compiled.value.test(values) ?? { needs: compiled.value.needs(values) };
}
