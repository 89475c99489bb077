/** Page sizes of configurations and rules: 20 by default, at most 50 (`observed`), at least 1 (`chosen`). */
import type { PageRule } from "../paging.ts";

export const pageRule: PageRule = { default: 20, max: 50, beyond: "clamp" };
