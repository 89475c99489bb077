/** The options of readers of Terraform files and saved responses. */
import type { ImportOptions } from "../../../import/world-from.ts";
import type { ImportValues } from "../../options/world.ts";

export function readImportOptions({ zoneName, keysOf, withSecrets, plan }: ImportValues): ImportOptions {
  return {
    zoneNames: Object.fromEntries(zoneName.map(({ id, domain }) => [id, domain])),
    withSecrets,
    ...(keysOf !== undefined && { keysOf }),
    ...(plan !== undefined && { plan }),
  };
}
