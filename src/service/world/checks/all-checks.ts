/** The check of every area of a world. */
import { checkApplications } from "./applications.ts";
import { checkBrand } from "./brand.ts";
import { checkImages } from "./images.ts";
import { checkProxy } from "./proxy.ts";
import { checkRulesets } from "./rulesets.ts";
import { checkTokens } from "./tokens.ts";
import { checkZoneSettings } from "./zone-settings.ts";

/** The checks by area. */
export const allChecks = {
  tokens: checkTokens,
  rulesets: checkRulesets,
  brand: checkBrand,
  images: checkImages,
  proxy: checkProxy,
  applications: checkApplications,
  settings: checkZoneSettings,
} as const;
