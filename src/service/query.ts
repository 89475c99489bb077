/** Checks queries of lists by the declarations of their parameters. */
import { anyValue, eachMember, optionGroup, requireArgument } from "../core/arguments.ts";
import { type Area, type CodedDiagnostic, problem, quote, quoteText } from "../errors.ts";
import type { GivenQuery, Parameter, Parameters, QueryOf } from "../schemas/parameters.ts";
import { genericCodes, rejectAny } from "./context.ts";

/**
 * The query of a caller in this process, with defaults.
 *
 * @throws {ApiError} with every parameter whose value is invalid or missing
 * @throws {TypeError} for a parameter that is not declared
 */
export function acceptQuery<P extends Parameters>(declared: P, given: GivenQuery<P>, area: Area): QueryOf<P> {
  requireArgument(
    "query",
    given,
    optionGroup<P>("the list", eachMember<keyof P & string>(declared, anyValue)),
  );
  const problems: CodedDiagnostic[] = [];
  const entries = Object.entries(declared).map(([name, parameter]) => {
    const value = given[name];
    const accepted = parameter.accept(value);
    if (!accepted) problems.push(invalidParameter(name, parameter, wrongItem(parameter, value), area));
    return [name, accepted?.value];
  });
  rejectAny(problems);
  return Object.fromEntries(entries);
}

/** Of a list the first item that is wrong; else the value itself. */
function wrongItem({ shape, accept }: Parameter, value: unknown): unknown {
  if (shape !== "list" || !Array.isArray(value) || value.length === 0) return value;
  return value.find((item) => !accept([item]));
}

/** The problem of a parameter: what was found, undefined for nothing, and what is allowed. */
export function invalidParameter(
  name: string,
  { shape, text }: Pick<Parameter, "shape" | "text">,
  found: unknown,
  area: Area,
): CodedDiagnostic {
  const allowed = shape === "list" ? `a list, each item ${text}` : text;
  const start = found === undefined ? "is missing; it must be" : "must be";
  const end =
    found === undefined ? "" : `; found ${typeof found === "string" ? quoteText(found) : quote(found)}`;
  return problem(genericCodes[area].invalid, `\`${name}\` ${start} ${allowed}${end}.`);
}
