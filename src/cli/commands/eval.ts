/** `edgeproof eval`: evaluates a user's requests against the rules of a world file. */
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import { parseTimestamp } from "../../service/time.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  jsonOption,
  stringOption,
  UsageError,
} from "../command.ts";
import { readJsonInput, standardInput } from "../input/files.ts";
import { actions, type RequestLine, readRequests, zoneOf } from "../input/requests-file.ts";
import { loadWorld, profileOption, worldOption } from "../input/world-file.ts";
import { colorLines } from "../output/color.ts";
import { escapeControlCharacters, escapeLines } from "../output/escape-control-characters.ts";
import { printTable } from "../output/table.ts";
import { reasonOf, ruleOf } from "../output/verdict-line.ts";

export const evaluate: CommandDefinition = {
  about: [
    "A request is a JSON object: url, and optionally method (default GET), headers (an object or a list of pairs), name, zone, now and expect. Each request is evaluated as the edge does: operation, rules, token, verdict.",
  ],
  positionals: "",
  options: {
    ...worldOption,
    request: {
      type: "string",
      value: "file",
      help: "JSON file with a request or an array of requests; `-` reads standard input.",
    },
    zone: {
      type: "string",
      value: "id",
      help: "Zone of the requests. Default: the zone whose name the host ends with.",
    },
    now: { type: "string", value: "time", help: "RFC 3339 time at which the requests arrive. Default: now." },
    expect: {
      type: "string",
      value: "action",
      help: "allow, log or block: exit with 1 when a verdict differs.",
    },
    explain: { type: "boolean", help: "Print the explanation of each verdict." },
    ...jsonOption,
    ...profileOption,
  },
  exits: {
    0: "Every verdict is as expected, or no verdict was expected.",
    1: "At least one verdict differs from the expected one.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof eval --world world.json --request requests.json",
    "edgeproof eval --world world.json --request requests.json --expect allow --json",
    `echo '{"url":"https://api.example.com/"}' | edgeproof eval --world world.json --request - --explain`,
  ],
  run: runEval,
};

interface Evaluated {
  readonly request: RequestLine;
  readonly verdict: Verdict;
  readonly expected: string | undefined;
}

async function runEval(input: CommandInput, io: Io): Promise<number> {
  const path = stringOption(input, "request");
  if (path === undefined)
    throw new UsageError(
      "--request is missing; it must name a file of requests, or be `-` for standard input",
    );
  if (stringOption(input, "world") === undefined)
    throw new UsageError("--world is missing; it must name a world file");
  const evaluated = await evaluateAll(input, path, io);
  if (booleanOption(input, "json")) io.stdout.write(formatJson(evaluated.map(asJson)));
  else
    io.stdout.write(colorLines(io.stdout, escapeLines(asText(evaluated, booleanOption(input, "explain")))));
  const unexpected = evaluated.filter(
    ({ verdict, expected }) => expected !== undefined && expected !== verdict.action,
  );
  for (const { request, verdict, expected } of unexpected) {
    io.stderr.write(
      `expected ${expected}, got ${verdict.action}: ${escapeControlCharacters(request.name ?? request.url)}\n`,
    );
  }
  return unexpected.length > 0 ? 1 : 0;
}

async function evaluateAll(input: CommandInput, path: string, io: Io): Promise<readonly Evaluated[]> {
  const expectAll = readExpect(stringOption(input, "expect"));
  const nowAll = readNow(stringOption(input, "now"));
  let now = Date.now();
  const { edge, world } = await loadWorld(input, io, { clock: () => now });
  const requests = readRequests(
    await readJsonInput(path, io),
    path === standardInput ? "standard input" : path,
  );
  const evaluated: Evaluated[] = [];
  for (const request of requests) {
    now = (request.now === undefined ? nowAll : parseTimestamp(request.now)) ?? Date.now();
    const { method, url, headers } = request;
    const zone = zoneOf(request, world, stringOption(input, "zone"));
    const verdict = await edge.tokens.evaluate(zone, { method, url, ...(headers && { headers }) });
    evaluated.push({ request, verdict, expected: request.expect ?? expectAll });
  }
  return evaluated;
}

function readExpect(value: string | undefined): string | undefined {
  if (value === undefined || (actions as readonly string[]).includes(value)) return value;
  throw new UsageError(`--expect must be \`allow\`, \`log\` or \`block\`; found \`${value}\``);
}

function readNow(value: string | undefined): number | undefined {
  const now = value === undefined ? undefined : parseTimestamp(value);
  if (value === undefined || now !== undefined) return now;
  throw new UsageError(`--now must be an RFC 3339 time such as 2026-01-31T12:00:00Z; found \`${value}\``);
}

function asJson({ request, verdict, expected }: Evaluated) {
  const { name, method, url } = request;
  return { ...(name !== undefined && { name }), method, url, ...(expected && { expected }), verdict };
}

function asText(evaluated: readonly Evaluated[], explain: boolean): string {
  if (explain)
    return evaluated.map(({ request, verdict }) => `${title(request)}\n${verdict.explain()}\n`).join("\n");
  const rows = evaluated.map(({ request, verdict }) => {
    return [verdict.action, title(request), ruleOf(verdict), reasonOf(verdict)];
  });
  return printTable(["verdict", "request", "rule", "reason"], rows);
}

function title({ name, method, url }: RequestLine): string {
  return name ?? `${method} ${url}`;
}
