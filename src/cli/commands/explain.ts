/** `edgeproof explain`: prints what is known about a rule, or about the rules of a code. */
import { didYouMean } from "../../core/suggest.ts";
import { formatJson, UsageError } from "../command.ts";
import type { explain } from "../declarations/first-steps/reference.ts";
import type { InvocationOf } from "../declare.ts";
import { allRules, explainRule } from "../output/results/rules.ts";

export async function run({ options, words, io }: InvocationOf<typeof explain>): Promise<number> {
  const [name = ""] = words;
  const found = allRules.filter(({ id, code }) => id === name || String(code) === name);
  if (found.length === 0) throw unknownName(name);
  io.stdout.write(options.json ? formatJson(found) : found.map(explainRule).join("\n"));
  return 0;
}

function unknownName(name: string): UsageError {
  const kind = /^\d+$/.test(name) ? "code" : "rule";
  const suggestion = didYouMean(
    name,
    allRules.map(({ id }) => id),
  );
  return new UsageError(
    `unknown ${kind} \`${name}\`${suggestion || "; docs/rules.md lists the rules and codes"}`,
  );
}
