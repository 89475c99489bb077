/**
 * The model of the analysis against the engine, request by request: an expression that pins the parts of a request
 * implies another expression exactly when that is true for the request.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import { implies } from "../../../../src/engine/tokens/analysis/compare-expressions.ts";
import { compileZone } from "../../../../src/entries/tokens.ts";
import { runs } from "../../../support/runs.ts";
import { rule } from "../zone-fixture.ts";

/** A request, as the parts that expressions read. */
interface Point {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly userAgent: string;
}

const piece = fc.constantFrom(
  ".B",
  ".",
  "a",
  "b",
  "A",
  "/",
  "%61",
  "%2B",
  "%zz",
  "+",
  ".",
  "a=b",
  "x",
  "xx",
  "ab",
  "%",
  "%E9",
);
const argument = fc
  .tuple(
    fc.constantFrom("x", "y", "xx", ""),
    fc.constantFrom("", "=", "=a", "=b", "=ab", "=a=b", "=%61", "=+"),
  )
  .map((parts) => parts.join(""));

const point: fc.Arbitrary<Point> = fc.record({
  scheme: fc.constantFrom("http" as const, "https" as const),
  host: fc.constantFrom("a.example", "b.example", "aa.example"),
  path: fc.array(piece, { maxLength: 3 }).map((parts) => `/${parts.join("").replaceAll("=", "")}`),
  query: fc.array(argument, { maxLength: 3 }).map((parts) => parts.join("&")),
  userAgent: fc
    .array(fc.constantFrom("a", "B", "b", "é", "%61", "k"), { maxLength: 3 })
    .map((all) => all.join("")),
});

const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
const operand = fc
  .array(fc.constantFrom("a", "b", "A", "/", ".example", "ab", "=", "&", "%61", "+", " ", "x"), {
    minLength: 1,
    maxLength: 2,
  })
  .map((parts) => parts.join(""));

const plainValue = fc.constantFrom(
  "http.host",
  "http.request.uri",
  "http.request.uri.path",
  "http.request.uri.query",
  "http.user_agent",
  "http.request.uri.path.extension",
  'http.request.uri.args["x"][0]',
  'http.request.uri.args["x"][1]',
  'http.request.uri.args["y"][0]',
);
const joined = fc.constantFrom(
  "http.request.full_uri",
  "concat(http.host, http.request.uri.path)",
  'concat(http.request.uri.path, "|", http.user_agent)',
  "concat(http.host, http.host)",
);
const value = fc
  .tuple(fc.oneof(plainValue, joined), fc.constantFrom("", "", "lower", "upper", "url_decode"))
  .map(([inner, name]) => (name === "" ? inner : `${name}(${inner})`));

const comparison = fc.oneof(
  fc
    .tuple(value, fc.constantFrom("eq", "ne", "contains", "lt", "le", "gt", "ge"), operand)
    .map(([left, operator, right]) => `${left} ${operator} ${quoted(right)}`),
  fc
    .tuple(value, fc.constantFrom("wildcard", "strict wildcard"), operand, operand)
    .map(([left, operator, start, end]) => `${left} ${operator} ${quoted(`${start}*${end}`)}`),
  fc
    .tuple(value, fc.constantFrom("starts_with", "ends_with"), operand)
    .map(([left, name, right]) => `${name}(${left}, ${quoted(right)})`),
  fc.tuple(value, operand, operand).map(([left, a, b]) => `${left} in {${quoted(a)} ${quoted(b)}}`),
  fc
    .tuple(
      plainValue,
      fc.constantFrom("(?i)b", "(?i)[a-k]$", "^(?i:A)b", "(?i)^/[^a]", "(?s)a.b", "(?i)K", "(?i-s)x|Y"),
    )
    .map(([left, pattern]) => `${left} matches ${quoted(pattern)}`),
  fc
    .tuple(
      fc.constantFrom("any", "all"),
      fc.constantFrom("eq", "ne", "contains"),
      fc.constantFrom("x", "y", "z"),
      operand,
    )
    .map(
      ([quantifier, operator, name, right]) =>
        `${quantifier}(http.request.uri.args["${name}"][*] ${operator} ${quoted(right)})`,
    ),
  fc.constantFrom('has_key(http.request.uri.args, "x")', 'has_value(http.request.uri.args["x"], "a")', "ssl"),
);

/** An expression that is true for no other point. */
function pinned({ scheme, host, path, query, userAgent }: Point): string {
  return [
    scheme === "https" ? "ssl" : "not ssl",
    `http.host eq ${quoted(host)}`,
    `http.request.uri.path eq ${quoted(path)}`,
    `http.request.uri.query eq ${quoted(query)}`,
    `http.user_agent eq ${quoted(userAgent)}`,
  ].join(" and ");
}

/** The value of an expression for a point. */
async function evaluate(
  expression: string,
  { scheme, host, path, query, userAgent }: Point,
): Promise<boolean> {
  const zone = await compileZone({
    configs: [],
    rules: [rule("r", expression, { selector: { include: [{ host: [host] }] } })],
  });
  const url = `${scheme}://${host}${path}${query === "" ? "" : `?${query}`}`;
  const verdict = await zone.evaluate({ method: "GET", url, headers: { "user-agent": userAgent } });
  return verdict.action === "allow";
}

test("a request that is pinned implies exactly the expressions that are true for it", async () => {
  const values = { true: 0, false: 0 };
  let undecided = 0;
  await fc.assert(
    fc.asyncProperty(comparison, point, async (expression, request) => {
      // A path that `URL` changes is none of a request.
      fc.pre(new URL(`https://h${request.path}`).pathname === request.path);
      const value = await evaluate(expression, request);
      const answer = implies(pinned(request), expression);
      if (answer.result === "undecided") undecided++;
      else expect([expression, answer.result]).toEqual([expression, value ? "implied" : "not_implied"]);
      values[`${value}`]++;
    }),
    { numRuns: runs(3_000, 300) },
  );
  expect(Math.min(values.true, values.false)).toBeGreaterThan(20);
  // Escapes across the parts of a string need many states.
  expect(undecided).toBeLessThan(0.02 * (values.true + values.false));
});
