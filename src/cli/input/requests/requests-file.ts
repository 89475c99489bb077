/** The requests of `edgeproof eval`: one JSON object, or an array of them. */
import * as z from "zod";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import type { JsonSource } from "../../../core/json-source.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { didYouMean } from "../../../core/suggest.ts";
import type { SimulatedRequest } from "../../../engine/tokens/model.ts";
import { suiteTokenStates } from "../../../engine/tokens/suite/suite-token.ts";
import { outcomeNames } from "../../../engine/tokens/verdict/verdict.ts";
import { checkRequest } from "../../../engine/tokens/zone/request.ts";
import { pointer } from "../../../errors.ts";
import { maxReported } from "../../../service/context.ts";
import { schemaProblems } from "../../../service/schema-problems.ts";
import { parseTimestamp } from "../../../service/time.ts";
import type { World } from "../../../service/world/schema.ts";
import { UsageError } from "../../command.ts";
import { printFaults } from "../../output/places.ts";
import { standardInput } from "../files.ts";

/** The actions that a request can expect. */
export const actions = ["allow", "log", "block", "challenge"] as const;

const headers = z.union([
  z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  z.array(z.tuple([z.string(), z.string()])),
]);

const timestamp = z
  .string()
  .refine(
    (value) => parseTimestamp(value) !== undefined,
    "an RFC 3339 timestamp such as `2026-01-31T12:00:00Z`",
  );

const token = z
  .strictObject({
    config: z.string().describe("Id of the token configuration."),
    kid: z.string().optional().describe("Key id. Default: that of the first key."),
    alg: z.string().optional().describe("Algorithm of the key. Default: that of the first key."),
    state: z.enum(suiteTokenStates).default("valid"),
    claims: z.record(z.string(), z.unknown()).optional().describe("Claims of the token. Default: none."),
    placeholder: z
      .string()
      .min(8)
      .optional()
      .describe(
        "String in the headers to replace. Default: the first source of the configuration gets the token.",
      ),
  })
  .describe("A token that is minted for the request; the zone gets a new key with the same `kid` and `alg`.");

/** A token to mint for a request. */
export type RequestToken = z.output<typeof token>;

/** An expected decision. */
export type ExpectedDecision = z.output<typeof decision>;

const decision = z
  .strictObject({
    action: z.enum(actions),
    rule: z.string().optional().describe("Id of the rule that decided; without it none may have."),
    logged: z.array(z.string()).default([]).describe("Ids of the `log` rules that fired, in order."),
    outcome: z
      .enum(outcomeNames)
      .optional()
      .describe("Reason for the action. It must be stated when no rule is evaluated."),
  })
  .describe("The whole decision.");

/** The members that custom rules read; their values are checked by the engine. */
const givenMembers = {
  ip: z.string().optional().describe("Address of the client, for custom rules. Unknown without it."),
  httpVersion: z.string().optional().describe("Version of HTTP, for custom rules. Default: `HTTP/1.1`."),
  body: z.string().optional().describe("Body, for custom rules. Unknown without it."),
  challengePassed: z.boolean().optional().describe("Whether challenges of custom rules do not fire."),
  fields: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Values of fields of custom rules, such as `{ "ip.src.country": "DE" }`. Unknown without it.'),
};

const generated = z
  .strictObject({
    operations: z.enum(["each", "classes"]),
    zone: z.string().optional().describe("The only zone of the suite, when it was selected."),
  })
  .describe("That `suite generate` wrote the request, and with which options.");

const request = z.strictObject({
  name: z.string().optional(),
  method: z.string().default("GET"),
  url: z.string().refine((value) => URL.canParse(value), "an absolute URL"),
  headers: headers.optional(),
  ...givenMembers,
  zone: z.string().optional().describe("Id of the zone. Default: the zone whose name the host ends with."),
  now: timestamp.optional().describe("Time at which the request arrives. Default: now."),
  expect: z.union([z.enum(actions), decision]).optional(),
  token: z.union([token, z.array(token)]).optional(),
  generated: generated.optional(),
});

/** A request of the file. */
export type RequestLine = z.output<typeof request>;

/** The request to evaluate. */
export function simulated({ method, url, headers, ...line }: RequestLine): SimulatedRequest {
  const names = Object.keys(givenMembers) as (keyof typeof givenMembers)[];
  const given = names.flatMap((name) => (line[name] === undefined ? [] : [[name, line[name]] as const]));
  return { method, url, ...(headers && { headers }), ...Object.fromEntries(given) };
}

/**
 * The requests of a file.
 *
 * @throws {UsageError} that lists every problem with its place
 */
export function readRequests(source: JsonSource, path: string): readonly RequestLine[] {
  const parsed = parseRequests(source.value);
  if (!parsed.ok) throw invalidRequests(parsed.problems, source, path);
  return parsed.value;
}

/** The requests of the value of a file, or every problem with its pointer. */
export function parseRequests(
  value: unknown,
): Result<readonly RequestLine[], Pick<Diagnostic, "pointer" | "message">> {
  const schema = Array.isArray(value) ? z.array(request) : request.transform((only) => [only]);
  const parsed = schema.safeParse(value, { reportInput: true });
  const problems = parsed.success
    ? parsed.data.flatMap((one, i) =>
        checkRequest(one).map(({ pointer: at = "", message }) => ({
          pointer: `${Array.isArray(value) ? pointer(i) : ""}${at}`,
          message,
        })),
      )
    : parsed.error.issues.flatMap((issue) =>
        schemaProblems(issue, { area: "shared", at: "", root: "the file" }),
      );
  const [first, ...rest] = problems;
  return first || !parsed.success
    ? failure(first ?? { message: "it is no request" }, ...rest)
    : success(parsed.data);
}

function invalidRequests(
  problems: readonly Pick<Diagnostic, "pointer" | "message">[],
  { locate }: JsonSource,
  path: string,
): UsageError {
  const file = path === standardInput ? "standard input" : path;
  const faults = problems.slice(0, maxReported).map(({ pointer = "", message }) => {
    return { at: { file, start: locate(pointer), pointer }, message };
  });
  const more = problems.length > faults.length ? `\n  and ${problems.length - faults.length} more` : "";
  return new UsageError(`${file} has invalid requests:\n${printFaults(faults)}${more}`);
}

/**
 * The id of the zone of a request; undefined when its host is of no zone.
 *
 * @throws {UsageError} when the file or the option names a zone that does not exist
 */
export function zoneOf(
  { zone, url }: RequestLine,
  world: World,
  selected: string | undefined,
): string | undefined {
  const zones = world.zones ?? [];
  const id = zone ?? selected;
  if (id !== undefined) return requireZone(id, zones);
  const host = new URL(url).hostname;
  const named = zones
    .filter(({ id, name = id }) => host === name || host.endsWith(`.${name}`))
    .sort((a, b) => (b.name ?? b.id).length - (a.name ?? a.id).length);
  const only = zones.length === 1 ? zones[0] : undefined;
  return (named[0] ?? only)?.id;
}

/** That no zone has the host of a request, with the closest name. */
export function describeNoZone({ url }: RequestLine, { zones = [] }: World): string {
  const host = new URL(url).hostname;
  const names = zones.map(({ id, name = id }) => name);
  // A host has the name of its zone and maybe labels before it.
  const labels = host.split(".");
  const ends = labels.map((_label, i) => labels.slice(i).join("."));
  const near = ends.map((end) => didYouMean(end, names)).find((hint) => hint !== "");
  return `No zone of the world has the host \`${host}\`${near ?? "."} Set --zone or the member "zone" of the request.`;
}

function requireZone(id: string, zones: NonNullable<World["zones"]>): string {
  if (zones.some((zone) => zone.id === id)) return id;
  const known = zones.map((zone) => `\`${zone.id}\``).join(", ") || "none";
  throw new UsageError(`the world has no zone \`${id}\`; zones of the world: ${known}`);
}
