/** The options of `createEdge` on the command line: an options file, and options of their own for the frequent ones. */

import { didYouMean } from "../../../core/suggest.ts";
import { trimOf } from "../../../core/text/trim.ts";
import type { EdgeOptions } from "../../../edge.ts";
import { pointer, quote } from "../../../errors.ts";
import { faultTargets } from "../../../http/faults/targets.ts";
import { readFaultRules } from "../../../service/faults/fault-rules.ts";
import { defaultLimits, isLimit, type Limits, limitRangeText } from "../../../service/limits.ts";
import { schemaProblems } from "../../../service/schema-problems.ts";
import { type Io, UsageError } from "../../command.ts";
import type { ValuesOf } from "../../declare.ts";
import type { edgeOptions } from "../../options/server.ts";
import { readJsonInput } from "../files.ts";
import { edgeOptionsSchema, optionNames, otherOptions } from "./edge-options-schema.ts";

/** The options of the file and of the command line. @throws {UsageError} with every problem of the file */
export async function readEdgeOptions(options: ValuesOf<typeof edgeOptions>, io: Io): Promise<EdgeOptions> {
  const path = options.options;
  const file = path === undefined ? {} : readOptions(path, await readJsonInput(path, io));
  const limits = { ...file.limits, ...Object.fromEntries(options.limit.map(readLimit)) };
  return {
    ...file,
    limits,
    threads: options.threads ?? file.threads ?? defaultThreads(io),
    ...(options.envelopes !== undefined && { envelopes: options.envelopes }),
    ...(options.anyToken && { anyToken: true }),
    ...(options.prune && { prune: true }),
  };
}

/** Maximum of the default number of threads. `chosen` */
const maxDefaultThreads = 4;

/** The number of worker threads where none is given: one processor is left to requests. */
export function defaultThreads({ processors = 0 }: Io): number {
  return processors === 0 ? 0 : Math.min(maxDefaultThreads, Math.max(1, processors - 1));
}

/** The path of the interface behind an origin. */
export function basePathOf({ basePath = "/client/v4" }: EdgeOptions): string {
  const inner = trimOf(basePath, "/");
  return inner === "" ? "" : `/${inner}`;
}

function readOptions(path: string, value: unknown): EdgeOptions {
  const parsed = edgeOptionsSchema.safeParse(value, { reportInput: true });
  if (parsed.success) {
    const { $schema, ...options } = parsed.data;
    assertFaults(path, options as EdgeOptions);
    return options as EdgeOptions;
  }
  const lines = parsed.error.issues.flatMap((issue) => {
    const at = pointer(...issue.path.map(String));
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownMember(at, key));
    return schemaProblems(issue, { area: "shared", at: "", root: "the options file" }).map(
      (problem) => `  ${problem.pointer || "/"}: ${problem.message}`,
    );
  });
  throw new UsageError(`${path} is not a valid options file:\n${lines.join("\n")}`);
}

/** @throws {UsageError} for rules that match no endpoint, or have no effect */
function assertFaults(path: string, { faults, ...options }: EdgeOptions): void {
  const read = readFaultRules(faults ?? [], faultTargets(basePathOf(options)));
  if (read.ok) return;
  const lines = read.problems.map(({ pointer: at = "", message }) => `  /faults${at}: ${message}`);
  throw new UsageError(`${path} is not a valid options file:\n${lines.join("\n")}`);
}

function unknownMember(at: string, name: string): string {
  const where = `  ${at}${pointer(name)}: ${quote(name)}`;
  if (at === "" && Object.hasOwn(otherOptions, name))
    return `${where} ${otherOptions[name as keyof typeof otherOptions]}; it cannot be in an options file.`;
  const names = optionNames[at] ?? [];
  return `${where} is not an option${didYouMean(name, names) || "."}`;
}

/** A limit as `name=value`. @throws {UsageError} */
function readLimit(text: string): readonly [keyof Limits, number] {
  const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const names = Object.keys(defaultLimits);
  if (!names.includes(name))
    throw new UsageError(
      `--limit: ${quote(name)} is not a limit${didYouMean(name, names) || `; the limits are ${names.join(", ")}`}`,
    );
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!isLimit(name, number))
    throw new UsageError(`--limit ${name} must be an integer ${limitRangeText(name)}; found ${quote(value)}`);
  return [name as keyof Limits, number];
}
