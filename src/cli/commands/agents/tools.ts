/** The tools of `edgeproof mcp`: what an agent gives, and the command line that answers it. None of them writes a file. */
import { z } from "zod";

/** A command line, the files that it names, and its standard input. */
export interface ToolCall {
  readonly command: string;
  readonly words: readonly string[];
  /** Paths and patterns that are read. */
  readonly files: readonly string[];
  readonly input?: string;
}

/** A tool. */
export interface Tool<S extends z.ZodObject = z.ZodObject> {
  readonly title: string;
  readonly description: string;
  readonly input: S;
  readonly call: (given: z.output<S>) => ToolCall;
}

const tool = <S extends z.ZodRawShape>({
  input,
  ...rest
}: Omit<Tool<z.ZodObject<S>>, "input"> & { readonly input: S }): Tool =>
  ({ ...rest, input: z.strictObject({ ...input, from }) }) as unknown as Tool;

const maxFiles = 50;
const maxRequests = 100;

/** A word that cannot be taken for an option. */
const word = z.string().min(1).max(1_000);
const path = word.describe("Path of a file in the working folder.");
const from = z
  .int()
  .min(1)
  .optional()
  .describe("First line of the answer, from 1; an answer that was cut names the next one.");
const zone = word.optional().describe("Id of a zone: only this one.");
const partial = z
  .boolean()
  .optional()
  .describe(
    "Continue although a rule, key or host of the files is undecided; what it could change is marked.",
  );
const world = path.describe(
  "World file, Terraform plan or state (JSON), or saved response of the interface, in the working folder.",
);

/** `--name=value` for what is given: a value is never taken for an option. */
function options(given: Readonly<Record<string, string | boolean | undefined>>): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}=${value}`];
  });
}

const present = (...paths: readonly (string | undefined)[]) => paths.filter((given) => given !== undefined);

/** The tools, by name. */
export const tools: Readonly<Record<string, Tool>> = {
  check: tool({
    title: "Check configuration",
    description:
      "Checks token rules, custom rules, proxy applications, domain queries and image variants without any request. Findings have a rule, a level and a place (file, line, column); `explain` explains the rule. With `openapi`, also which documented operations a request without a valid token reaches. Nothing evaluated, or undecided, is not a success.",
    input: {
      files: z.array(path).min(1).max(maxFiles),
      only: z.enum(["tokens", "proxy", "brand", "images", "openapi"]).optional(),
      openapi: path.optional().describe("An OpenAPI document to compare with the rules."),
      baseline: path.optional().describe("Accepted findings, as `check --write-baseline` writes them."),
      zone,
      partial,
    },
    call: ({ files, openapi, baseline, ...rest }) => ({
      command: "check",
      words: [...options({ openapi, baseline, ...rest }), "--", ...files],
      files: present(...files, openapi, baseline),
    }),
  }),
  eval: tool({
    title: "Evaluate requests",
    description:
      "Evaluates simulated requests against the rules of a world: allow, log, block or challenge, and the rule that decided. A request without a member `token` or a header with a JWT has no token; `token: {config, state}` mints one (`valid`, `expired` and others) for the request.",
    input: {
      world,
      requests: z
        .array(z.looseObject({ url: word }))
        .min(1)
        .max(maxRequests)
        .describe(
          "Requests: url, and optionally method, headers (object), name, zone, now, ip, body, fields, expect (an action) and token ({config, state}).",
        ),
      explain: z.boolean().optional().describe("Add the explanation of each verdict."),
      zone,
      now: word.optional().describe("RFC 3339 time at which the requests arrive. Default: now."),
      partial,
    },
    call: ({ world, requests, ...rest }) => ({
      command: "eval",
      words: options({ world, requests: "-", ...rest }),
      files: [world],
      input: JSON.stringify(requests),
    }),
  }),
  diff: tool({
    title: "Compare two versions",
    description:
      "Compares the rules of two versions for all possible requests: equivalent, or for each difference a request that they treat differently. An undecided comparison is reported as such.",
    input: { old: world, new: world, zone, partial },
    call: ({ old, new: changed, ...rest }) => ({
      command: "diff",
      words: [...options(rest), "--", old, changed],
      files: [old, changed],
    }),
  }),
  suite: tool({
    title: "Write or measure a test suite",
    description:
      "Without `requests`: writes a suite of requests that notices every change of a rule, as JSON for `eval` or as a test file. With `requests`: changes the rules one part at a time and reports the changes that those requests do not notice.",
    input: {
      world,
      requests: path.optional().describe("JSON file with an array of requests, to measure."),
      format: z
        .enum(["json", "vitest", "jest", "node"])
        .optional()
        .describe("Of a written suite. Default: json."),
      zone,
      partial,
    },
    call: ({ requests, format = "json", ...rest }) => ({
      command: requests === undefined ? "suite generate" : "suite mutate",
      words: options(requests === undefined ? { format, ...rest } : { requests, ...rest }),
      files: present(rest.world, requests),
    }),
  }),
  explain: tool({
    title: "Explain a rule, a code or the language",
    description:
      "Explains the rule of a finding, a code of the interface, or a field, function or operator of expressions. `language` has the facts about expressions that are often stated wrongly: read them before you write or change one.",
    input: {
      name: word.describe(
        "Such as `always-true`, `11034`, `is_jwt_valid`, `http.request.jwt.claims` or `language`.",
      ),
    },
    call: ({ name }) => ({ command: "explain", words: ["--", name], files: [] }),
  }),
};
