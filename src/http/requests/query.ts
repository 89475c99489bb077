/** Decodes the query of a request: arrays repeated, with brackets, or separated by commas, as real clients send them. */
import { type Area, type CodedDiagnostic, problem, quote, quoteText } from "../../errors.ts";
import type { Parameter, Parameters, QueryOf, QueryPair } from "../../schemas/parameters.ts";
import { genericCodes, rejectAny } from "../../service/context.ts";
import { invalidParameter } from "../../service/query.ts";

/**
 * The declared parameters of a query string, with defaults; others are ignored.
 *
 * @throws {ApiError} with every parameter that is missing, repeated or invalid, by the code of the area
 */
export function decodeQuery<P extends Parameters>(declared: P, query: string, area: Area): QueryOf<P> {
  const pairs = [...new URLSearchParams(query)];
  const problems: CodedDiagnostic[] = [];
  const entries = Object.entries(declared).map(([name, parameter]) => {
    const decoded = decoders[parameter.shape]({ name, parameter, pairs, area });
    if ("message" in decoded) problems.push(decoded);
    return [name, "value" in decoded ? decoded.value : undefined];
  });
  rejectAny(problems);
  return Object.fromEntries(entries);
}

/** One declared parameter, and all pairs of the query. */
interface Target {
  readonly name: string;
  readonly parameter: Parameter;
  readonly pairs: readonly QueryPair[];
  readonly area: Area;
}

type Decoded = { readonly value: unknown } | CodedDiagnostic;

const decoders: Readonly<Record<Parameter["shape"], (target: Target) => Decoded>> = {
  single: (target) => {
    const { name, parameter, pairs, area } = target;
    const found = pairs.filter(([key]) => key === name || parameter.aliases.includes(key));
    const [first] = found;
    if (!first) return accepted(target, undefined);
    const [key, text] = first;
    const repeated = found.find(([other], i) => found.findIndex(([earlier]) => earlier === other) < i);
    if (repeated) return conflict(`${quote(repeated[0])} must be given once`, text, repeated, area);
    const different = found.find(([, other]) => other !== text);
    if (different)
      return conflict(`${quote(key)} and ${quote(different[0])} must be equal`, text, different, area);
    return accepted({ ...target, name: key }, parameter.parse(text), text);
  },
  list: (target) => {
    const { name, pairs, parameter, area } = target;
    const isNamed = (key: string) => key.startsWith(name) && /^(?:\[\d*\])?$/.test(key.slice(name.length));
    const texts = pairs.flatMap(([key, text]) => (isNamed(key) ? text.split(",") : []));
    const wrong = texts.find((text) => !parameter.accept([parameter.parse(text)]));
    if (wrong !== undefined) return invalidParameter(name, parameter, wrong, area);
    return accepted(target, texts.length === 0 ? undefined : texts.map((text) => parameter.parse(text)));
  },
  pairs: (target) =>
    accepted(
      target,
      target.pairs.filter(([key]) => target.parameter.isName?.(key)),
    ),
};

/** @param text the string of the value, undefined when nothing was sent */
function accepted({ name, parameter, area }: Target, value: unknown, text?: string): Decoded {
  const isOther = text !== undefined && value === undefined;
  return (isOther ? undefined : parameter.accept(value)) ?? invalidParameter(name, parameter, text, area);
}

function conflict(rule: string, first: string, [, second]: QueryPair, area: Area): Decoded {
  const found = `${quoteText(first)} and ${quoteText(second)}`;
  return problem(genericCodes[area].invalid, `${rule}; found ${found}.`);
}
