/** `edgeproof explain`: prints what is known about a rule, the rules of a code, or a word of the language. */
import { didYouMean } from "../../../core/suggest.ts";
import { formatJson, UsageError } from "../../command.ts";
import type { explain } from "../../declarations/first-steps/reference.ts";
import type { InvocationOf } from "../../declare.ts";
import { allRules, explainRule } from "../../output/results/rules.ts";

export async function run({ options, words, io }: InvocationOf<typeof explain>): Promise<number> {
  const [name = ""] = words;
  const rules = allRules.filter(({ id, code }) => id === name || String(code) === name);
  const { explainedWords, wordNames } = await import("./words.ts");
  const explained = [
    ...rules.map((rule) => ({ value: rule, text: explainRule(rule) })),
    ...explainedWords(name),
  ];
  if (explained.length === 0) throw unknownName(name, wordNames);
  io.stdout.write(
    options.json
      ? formatJson(explained.map(({ value }) => value))
      : explained.map(({ text }) => text).join("\n"),
  );
  return 0;
}

function unknownName(name: string, wordNames: readonly string[]): UsageError {
  if (/^\d+$/.test(name))
    return new UsageError(`unknown code \`${name}\`; docs/rules.md lists the rules and codes`);
  const suggestion = didYouMean(name, [...allRules.map(({ id }) => id), ...wordNames]);
  return new UsageError(
    `unknown rule or word \`${name}\`${suggestion || "; docs/rules.md lists the rules and codes, docs/reference.md the words of expressions"}`,
  );
}
