/** Whether there are custom rules. */

import type { ReadCustomRules } from "../zone/zone-input.ts";

/** Whether a zone or its account has custom rules. */
export function hasCustomRules({ custom }: { readonly custom: ReadCustomRules | undefined }): boolean {
  const { account, zone } = custom?.rulesets.entries ?? {};
  return [account, zone].some((entry) => entry !== undefined && entry.rules.length > 0);
}
