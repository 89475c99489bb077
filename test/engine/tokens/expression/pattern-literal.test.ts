/** The strings of `matches`: their backslashes are those of the pattern. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { changedPatterns } from "../../../../src/engine/tokens/expression/patterns/earlier-reading.ts";
import { compilePattern } from "../../../../src/engine/tokens/expression/patterns/regular-expression.ts";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";
import { toBytes } from "../../../../src/engine/tokens/expression/values/bytes.ts";
import { compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import { runs } from "../../../support/runs.ts";
import { quotedPattern } from "../arbitraries.ts";
import { leaves } from "../leaves.ts";

/** The pattern of `http.host matches <literal>`, or the error. */
function patternOf(literal: string): string {
  const parsed = parseExpression(`http.host matches ${literal}`);
  if (!parsed.ok) return parsed.problems[0].message;
  const leaf = leaves(parsed.value)[0];
  return leaf?.kind === "comparison" ? String(leaf.operand) : "no pattern";
}

describe("reading", () => {
  test.each([
    [String.raw`"^/\d+$"`, String.raw`^/\d+$`],
    [String.raw`"\.php$"`, String.raw`\.php$`],
    [String.raw`"\\."`, String.raw`\\.`],
    [String.raw`"\x41\-"`, String.raw`\x41\-`],
    [String.raw`"say \"hi\""`, 'say "hi"'],
    [String.raw`"\\\"a"`, String.raw`\\"a`],
    ['"["\']+"', "[\"']+"],
    [String.raw`"[\"]"`, String.raw`[\"]`],
    [String.raw`"[^\]"]"`, String.raw`[^\]"]`],
    [String.raw`"\["`, String.raw`\[`],
    [String.raw`r"^/\d+$"`, String.raw`^/\d+$`],
    ['"[a"', 'The string that starts here is not closed; expected `]` and `"` before the end of the text.'],
    [
      String.raw`"a\"`,
      'The string that starts here is not closed; expected `"` before the end of the text; write `"a\\""`.',
    ],
  ])("%s is %s", (literal, pattern) => expect(patternOf(literal)).toBe(pattern));

  test("the strings of other operators keep their escapes, also after a pattern", () => {
    const parsed = parseExpression(String.raw`http.host ~ "\d" and http.host eq "\x41\\"`);
    expect(parsed.ok && parsed.value).toMatchObject({
      operands: [{ right: { value: "\\d" } }, { right: { value: "A\\" } }],
    });
    expect(parseExpression(String.raw`http.host eq "\d"`).ok).toBe(false);
  });
});

test("a pattern is printed so that it is read again, quoted where it has a quoted form", () => {
  const printed = (literal: string) => {
    const parsed = parseExpression(`http.host ~ ${literal}`);
    return parsed.ok && printExpression(parsed.value).replace("http.host matches ", "");
  };
  expect(printed(String.raw`r"^/\d+$"`)).toBe(String.raw`"^/\d+$"`);
  expect(printed(`r#"a"["]"#`)).toBe(String.raw`"a\"["]"`);
  expect(printed(String.raw`r#"\"+"#`)).toBe(String.raw`r#"\"+"#`);
  expect(printed('r"(?x)#["')).toBe('r"(?x)#["');
});

test("what a literal matches, and what it matches when it is printed, are the same", () => {
  fc.assert(
    fc.property(quotedPattern, (pattern) => {
      const hashes = "#".repeat(Math.max(0, ...(pattern.match(/#+/g) ?? []).map(({ length }) => length)) + 1);
      const raw = parseExpression(`http.host matches r${hashes}"${pattern}"${hashes}`);
      if (!raw.ok || raw.value.kind !== "comparison")
        throw new Error(raw.ok ? "no pattern" : raw.problems[0].message);
      expect(raw.value.right).toMatchObject({ value: toBytes(pattern) });
      const again = parseExpression(printExpression(raw.value));
      expect(again.ok && again.value.kind === "comparison" && again.value.right).toEqual(raw.value.right);
    }),
    { numRuns: runs(1_000) },
  );
});

describe("patterns that version 0.1 read otherwise", () => {
  test.each([
    [String.raw`"\\."`, ['`r"\\\\."` since version 0.2, and was `r"\\."`']],
    [String.raw`"\x2e"`, ['`r"\\x2e"` since version 0.2, and was `r"."`']],
    // A character then, a byte now.
    [String.raw`"\xe9"`, ['`r"\\xe9"` since version 0.2, and was `r"é"`']],
    // Rejected by version 0.1, or the same in both.
    [String.raw`"^/\d+$"`, []],
    [String.raw`"\x41\x20"`, []],
    [String.raw`"[a-c][[:alpha:]][-.][^\]a][\s]\s"`, []],
    ['"(?x)[a&&b]"', []],
    [String.raw`"\"[\"]"`, []],
    [String.raw`r"\\."`, []],
    ['"a.b"', []],
  ])("%s has %j", (literal, expected) => {
    const text = ` \t http.host eq "\\\\" and http.host matches ${literal}`;
    const found = changedPatterns(text);
    expect(found.map((message) => /the pattern is (.*) before/.exec(message)?.[1])).toEqual(expected);
    for (const message of found) expect(message).toContain(`At line 1, column ${text.indexOf(literal) + 1} `);
  });

  test.each([
    ["[a-z&&[^b]]", "[a-z&&[^b]]"],
    ["x[a[bc]]y", "[a[bc]]"],
    ["(?:[+--])?", "[+--]"],
    ["[]-a]", "[]-a]"],
    ["[&~]*[a~~b]", "[a~~b]"],
  ])("%s has a note about %s, which RE2 reads otherwise", (pattern, part) => {
    const found = changedPatterns(`http.host matches r"${pattern}"`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`column 19 of the expression: the class \`${part}\` of the pattern has other`);
  });

  test("is a note of a zone, in both profiles, with the position", async () => {
    const rule = {
      id: "r",
      action: "block",
      enabled: true,
      expression: String.raw`http.host matches "\\."`,
      selector: { include: [{ host: ["a.example"] }] },
    } as const;
    const notes = async (restrictions: "enforce" | "note") =>
      (await compileZone({ configs: [], rules: [rule] }, { clock: () => 0, restrictions })).notes;
    expect(await notes("note")).toMatchObject([{ rule: "pattern-escapes", pointer: "/rules/0/expression" }]);
    expect(await notes("enforce")).toEqual(await notes("note"));
  });

  test("no note is missing: without one, both readings match the same values", () => {
    const old = (pattern: string) =>
      pattern.replace(
        /\\(?:(["\\])|x([0-9A-Fa-f]{2}))/g,
        (_, plain: string | undefined, hex: string) => plain ?? String.fromCharCode(Number.parseInt(hex, 16)),
      );
    const parts = fc.constantFrom(
      "a",
      ".",
      "\\\\",
      '\\"',
      "\\x2b",
      "\\x41",
      "\\x5c",
      "\\x2E",
      "[a-c]",
      "\\x61-",
    );
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 5 }),
        fc.string({ unit: fc.constantFrom(...'aA.+\\"-b') }),
        (some, value) => {
          const written = some.join("");
          const expression = `http.host matches "${written}"`;
          const parsed = parseExpression(expression);
          fc.pre(parsed.ok && changedPatterns(expression).length === 0);
          const earlier = parseExpression(`http.host matches r##"${old(written)}"##`);
          if (!parsed.ok || !earlier.ok) return;
          const [now, before] = [parsed.value, earlier.value].map((tree) =>
            compilePattern("operand" in tree ? String(tree.operand) : "")(value),
          );
          expect(now).toBe(before);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});
