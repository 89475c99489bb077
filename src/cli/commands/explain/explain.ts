/** `edgeproof explain`: prints what is known about a rule, the rules of a code, or a word of the language. */
import { groupBy } from "../../../core/groups.ts";
import { didYouMean } from "../../../core/suggest.ts";
import { formatJson, UsageError } from "../../command.ts";
import type { explain } from "../../declarations/first-steps/reference.ts";
import type { InvocationOf } from "../../declare.ts";
import { allRules, explainRule, type NamedRule } from "../../output/results/rules.ts";

export async function run({ options, words, io }: InvocationOf<typeof explain>): Promise<number> {
  const [name = ""] = words;
  const rules = allRules.filter(({ id, code }) => id === name || String(code) === name);
  const { explainedWords, wordNames } = await import("./words.ts");
  // The meaning of a word that is printed is asked for more often than the rules with this id.
  const meanings = explainedWords(name);
  if (meanings.length + rules.length === 0) throw unknownName(name, wordNames);
  io.stdout.write(
    options.json
      ? formatJson([...meanings.map(({ value }) => value), ...rules])
      : [...meanings.map(({ text }) => text), ...textsOf(rules)].join("\n"),
  );
  return 0;
}

/** The texts of rules; those that differ in their areas only once, with all of them. */
function textsOf(rules: readonly NamedRule[]): readonly string[] {
  const same = groupBy(rules, (rule) => explainRule({ ...rule, area: "" }));
  return [...same.values()].flatMap(([first, ...others]) => {
    const areas = [first, ...others].flatMap((rule) => rule?.area ?? []);
    return first ? [explainRule({ ...first, area: areas.join(", ") })] : [];
  });
}

function unknownName(name: string, wordNames: readonly string[]): UsageError {
  if (/^\d+$/.test(name))
    return new UsageError(`unknown code \`${name}\`; docs/rules.md lists the rules and codes`);
  const suggestion = didYouMean(name, [...allRules.map(({ id }) => id), ...wordNames]);
  return new UsageError(
    `unknown rule or word \`${name}\`${suggestion || "; docs/rules.md lists the rules and codes, docs/reference.md the words of expressions"}`,
  );
}
