/** Page sizes of configurations and rules: 20 by default, at most 50 (`observed`), at least 1 (`chosen`). */
import { pageSizes } from "../../schemas/envelope.ts";
import type { PageRule } from "../paging.ts";

export const pageRule: PageRule = { ...pageSizes.tokens, beyond: "clamp" };
