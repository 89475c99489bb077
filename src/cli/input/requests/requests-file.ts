/** The requests of `edgeproof eval`: one JSON object, or an array of them. */

import * as z from "zod";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { isUrl } from "../../../core/idna/url.ts";
import type { JsonSource } from "../../../core/json-source.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { didYouMean } from "../../../core/suggest.ts";
import type { SimulatedRequest } from "../../../engine/tokens/model.ts";
import { challengeKinds } from "../../../engine/tokens/rulesets/actions.ts";
import { suiteTokenStates } from "../../../engine/tokens/suite/suite-token.ts";
import { checkRequest } from "../../../engine/tokens/zone/request.ts";
import { pointer, quote } from "../../../errors.ts";
import { maxReported } from "../../../service/context.ts";
import { memberNames } from "../../../service/schema-members.ts";
import { schemaProblems } from "../../../service/schema-problems.ts";
import { parseTimestamp } from "../../../service/time.ts";
import { UsageError } from "../../command.ts";
import { printFaults } from "../../output/places.ts";
import { standardInput } from "../../standard-input.ts";
import { describeOtherKind } from "../file-kind.ts";
import { actions, configName, namedDecision } from "./name-schemas.ts";

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
    config: configName,
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
  url: z.string().refine(isUrl, "an absolute URL"),
  headers: headers.optional(),
  ...givenMembers,
  zone: z
    .string()
    .optional()
    .describe("Id or name of the zone. Default: the zone whose name the host ends with."),
  now: timestamp.optional().describe("Time at which the request arrives. Default: now."),
  expect: z.union([z.enum([...actions, ...challengeKinds]), namedDecision]).optional(),
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

/** The members of a request, which may be in an array. */
function membersAt([first, ...rest]: readonly PropertyKey[]): readonly string[] {
  return memberNames(request, typeof first === "number" ? rest : first === undefined ? [] : [first, ...rest]);
}

/**
 * The requests of a file.
 *
 * @throws {UsageError} that lists every problem with its place
 */
export function readRequests(source: JsonSource, path: string): readonly RequestLine[] {
  const parsed = parseRequests(source.value);
  if (parsed.ok) return parsed.value;
  const other = isRequest(source.value) ? undefined : describeOtherKind(source.value, path);
  throw other === undefined
    ? invalidRequests(parsed.problems, source, path)
    : new UsageError(`${nameOf(path)} has no requests: ${other}`);
}

/** Whether a value, or its first element, has what only a request has. */
function isRequest(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isJsonObject(first) && Object.hasOwn(first, "url");
}

function nameOf(path: string): string {
  return path === standardInput ? "standard input" : path;
}

/** The requests of the value of a file, or every problem with its pointer. */
export function parseRequests(
  value: unknown,
): Result<readonly RequestLine[], Pick<Diagnostic, "pointer" | "message">> {
  const schema = Array.isArray(value) ? z.array(request) : request.transform((only) => [only]);
  const parsed = schema.safeParse(value, { reportInput: true });
  const problems = parsed.success
    ? parsed.data.flatMap((given, i) =>
        checkRequest(given).map(({ pointer: at = "", message }) => ({
          pointer: `${Array.isArray(value) ? pointer(i) : ""}${at}`,
          message,
        })),
      )
    : parsed.error.issues.flatMap((issue) =>
        schemaProblems(issue, { area: "shared", at: "", root: "the file", membersAt }).map((found) =>
          adviseArray(adviseAction(adviseKind(found))),
        ),
      );
  const [first, ...rest] = problems;
  return first || !parsed.success
    ? failure(first ?? { message: "it is no request" }, ...rest)
    : success(parsed.data);
}

/** A kind of challenge is no action of a decision; the message says where it is written. */
function adviseKind<P extends Pick<Diagnostic, "pointer" | "message">>(found: P): P {
  const kind = found.pointer?.endsWith("/expect/action")
    ? challengeKinds.find((name) => found.message.endsWith(`found the string ${quote(name)}.`))
    : undefined;
  if (kind === undefined) return found;
  const message = `${found.message.replace(/\.$/, "")}; write \`"expect": "${kind}"\`, or \`"challenge"\` as the action, with \`"custom": { "kind": "${kind}" }\`.`;
  return { ...found, message };
}

/** The nearest action for a mistyped one. */
function adviseAction<P extends Pick<Diagnostic, "pointer" | "message">>(found: P): P {
  const [, typed] = (found.pointer?.endsWith("/expect") && foundString.exec(found.message)) || [];
  const hint = typed === undefined ? "" : didYouMean(typed, [...actions, ...challengeKinds]);
  return hint === "" ? found : { ...found, message: `${found.message.replace(/\.$/, "")}${hint}` };
}

const foundString = /found the string `([^`]*)`\.$/;

/** A file has one request or an array of requests. */
function adviseArray<P extends Pick<Diagnostic, "pointer" | "message">>(found: P): P {
  return {
    ...found,
    message: found.message.replace(
      /^The file must be an object;/,
      "The file must be an object or an array of objects;",
    ),
  };
}

function invalidRequests(
  problems: readonly Pick<Diagnostic, "pointer" | "message">[],
  { locate }: JsonSource,
  path: string,
): UsageError {
  const file = nameOf(path);
  const faults = problems.slice(0, maxReported).map(({ pointer = "", message }) => {
    return { at: { file, start: locate(pointer), pointer }, message };
  });
  const more = problems.length > faults.length ? `\n  and ${problems.length - faults.length} more` : "";
  return new UsageError(`${file} has invalid requests:\n${printFaults(faults)}${more}`);
}
