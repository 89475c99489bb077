/** Writes docs/rules.md from the tables of rules. */
import { ruleTables } from "../src/cli/output/results/rules.ts";
import type { Rule } from "../src/core/diagnostic.ts";
import { tableOf } from "./markdown.ts";

/** The page as Markdown. */
export function rulesPage(): string {
  return [
    "# Rules",
    "",
    "<!-- Written by scripts/rules-page.ts from the tables of rules; change the tables, not this page. -->",
    "",
    "Every rule that a finding can have. The ids are stable, so that code hosts keep what was dismissed.",
    "`npx edgeproof explain <rule>` prints one; [proxy-codes.md](proxy-codes.md) has examples of the checks of applications.",
    ...Object.entries(ruleTables).flatMap(([title, rules]) => [
      "",
      `## ${title}`,
      "",
      ...tableOf(["rule", "level", "situation", "fix"], Object.entries(rules).map(row)),
    ]),
    "",
  ].join("\n");
}

function row([id, { level, description, why, help, docs }]: readonly [string, Rule]): readonly string[] {
  const name = docs === undefined ? `<a id="${id}"></a>\`${id}\`` : `[\`${id}\`](${docs})`;
  return [name, level, [description, why].filter(Boolean).join(" "), help];
}
