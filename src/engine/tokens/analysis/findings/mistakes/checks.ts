/** The mistakes as checks of both kinds of rules. */

import type { Rule, Rules } from "../../../../../core/diagnostic.ts";
import { type Mistake, type MistakeKind, mistakes } from "./mistakes.ts";

/** Every mistake by its id: its level, description and help. */
export const mistakeChecks: Rules<MistakeKind> = Object.fromEntries(
  Object.entries<Mistake>(mistakes).map(
    ([id, { level, description, why, help, examples }]): [string, Rule] => [
      id,
      {
        level,
        description,
        why,
        help: `${help} For example \`${examples[1]}\` in place of \`${examples[0]}\`.`,
        tags: ["tokens", "custom rules"],
      },
    ],
  ),
) as Rules<MistakeKind>;
