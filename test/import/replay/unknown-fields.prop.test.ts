/** A verdict that is given in spite of unknown values is the verdict for every value that they could have had. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { JwtKey } from "../../../src/engine/tokens/model.ts";
import { createReplay } from "../../../src/import/replay/replay.ts";
import type { ReplayCounts } from "../../../src/import/replay/replay-report.ts";
import { completeRecording, type RecordedRequest } from "../../../src/import/traffic/recorded-request.ts";
import { type MintedKey, mintKey, mintToken } from "../../../src/testing/tokens/mint.ts";
import { runs } from "../../support/runs.ts";

let key: MintedKey;
let valid: string;

beforeAll(async () => {
  key = await mintKey("ES256");
  valid = await mintToken(key);
});

const leaf = fc.constantFrom(
  'is_jwt_valid("web")',
  'is_jwt_valid("app")',
  'is_jwt_present("web")',
  'is_jwt_present("app")',
  'http.request.headers["x-team"][0] eq "1"',
  'http.request.headers["x-team"][0] ne "1"',
  'http.request.method eq "GET"',
  'http.request.method eq "POST"',
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, depthSize: "large" },
    leaf,
    fc
      .tuple(tie("expression"), fc.constantFrom("or", "and", "xor"), tie("expression"))
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    tie("expression").map((inner) => `not (${inner})`),
  ),
}));

const rules = fc.array(fc.record({ expression, action: fc.constantFrom("log" as const, "block" as const) }), {
  minLength: 1,
  maxLength: 3,
});

/** Parts that a recorder, or a person, may hide: the token in the header, the one in the cookie, another header. */
const parts = ["authorization", "session", "x-team"] as const;

type Values = Readonly<Partial<Record<(typeof parts)[number], string>>>;

function headersOf(values: Values): [string, string][] {
  const { session, ...headers } = values;
  const cookie: [string, string][] = session === undefined ? [] : [["cookie", `session=${session}`]];
  return [...Object.entries(headers), ...cookie];
}

function request(values: Values, stripped: readonly string[]): RecordedRequest {
  const exceptions = new Map(stripped.map((name) => [name, "stripped" as const]));
  const cookies = stripped.includes("session") ? "stripped" : "absent";
  const recording = { ...completeRecording, cookies, exceptions } as const;
  const url = "https://api.example.com/";
  return { name: "r", position: 1, method: "GET", url, headers: headersOf(values), nowMs: 0, recording };
}

function replay(
  list: readonly { expression: string; action: "log" | "block" }[],
  recorded: RecordedRequest,
  precedence: "all" | "first",
): ReplayCounts {
  const selector = { include: [{ host: ["api.example.com"] }] };
  const credentials = { keys: [key.jwk as JwtKey] };
  const configs = [
    {
      id: "web",
      token_sources: ['http.request.headers["authorization"][0]', 'http.request.cookies["session"][0]'],
      credentials,
    },
    { id: "app", token_sources: ['http.request.cookies["session"][0]'], credentials },
  ];
  const input = {
    configs,
    rules: list.map((rule, i) => ({ ...rule, id: `r${i}`, enabled: true, selector })),
  };
  const settings = { precedence, clockToleranceSeconds: 0, headerCase: "any" } as const;
  const running = createReplay({ zones: [{ id: "z", input }], settings, nowMs: 0 });
  const file = running.startFile("f");
  file.request(recorded);
  file.end();
  return running.report();
}

/** Every way to fill in the hidden parts. */
function completions(values: Values, hidden: readonly (typeof parts)[number][]): Values[] {
  const [first, ...rest] = hidden;
  if (first === undefined) return [values];
  const possible = first === "x-team" ? [undefined, "1", "2"] : [undefined, valid, "x"];
  return possible.flatMap((value) =>
    completions(value === undefined ? values : { ...values, [first]: value }, rest),
  );
}

test("whatever the rules are and whatever is hidden, redacted or stripped", () => {
  let certain = 0;
  fc.assert(
    fc.property(
      rules,
      fc.constantFrom("all" as const, "first" as const),
      fc.subarray([...parts]),
      fc.boolean(),
      fc.record(
        {
          authorization: fc.constantFrom("token", "x"),
          session: fc.constantFrom("token", "x"),
          "x-team": fc.constantFrom("1", "2"),
        },
        { requiredKeys: [] },
      ),
      (list, precedence, hidden, isRedacted, given) => {
        const known: Record<string, string> = {};
        for (const [name, value] of Object.entries(given))
          if (!hidden.includes(name as (typeof parts)[number]))
            known[name] = value === "token" ? valid : value;
        const redacted = isRedacted ? Object.fromEntries(hidden.map((name) => [name, "[redacted]"])) : {};
        const report = replay(list, request({ ...known, ...redacted }, isRedacted ? [] : hidden), precedence);
        expect(report.evaluated + report.notEvaluated).toBe(1);
        if (report.evaluated === 0) return;
        if (hidden.length > 0) certain++;
        for (const values of completions(known, hidden)) {
          expect(replay(list, request(values, []), precedence).verdicts).toEqual(report.verdicts);
        }
      },
    ),
    { numRuns: runs(300, 300) },
  );
  expect(certain).toBeGreaterThan(20);
});
