/** Page sizes of configurations and rules: 20 by default, 50 at the most (`observed`; from 1 on: `chosen`). */
import type { PageRule } from "../paging.ts";

export const pageRule: PageRule = { default: 20, max: 50, beyond: "clamp" };
