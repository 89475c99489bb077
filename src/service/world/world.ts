/** A checked world with the parts that apply it to a store. */
import { type CodedDiagnostic, InvalidInputError } from "../../errors.ts";
import type { ServiceContext } from "../context.ts";
import { checkWorld } from "./check-every-area.ts";
import type { ParsedWorld, SeedPart } from "./part.ts";
import type { World } from "./schema.ts";
import { applicationsPart } from "./seeds/applications.ts";
import { brandPart } from "./seeds/brand.ts";
import { imagesPart } from "./seeds/images.ts";
import { logosPart } from "./seeds/logos.ts";
import { proxyPart } from "./seeds/proxy.ts";
import { accountRulesetsPart, zoneRulesetsPart } from "./seeds/rulesets.ts";
import { tokensPart } from "./seeds/tokens.ts";
import { uploadsPart } from "./seeds/uploads.ts";
import { zoneSettingsPart } from "./seeds/zone-settings.ts";

/** A valid world, ready to be applied to a store. */
export interface PreparedWorld {
  readonly world: ParsedWorld;
  /** Ignored parts, one line each. */
  readonly notes: readonly string[];
  readonly parts: readonly SeedPart[];
}

/**
 * Checks a world and prepares its parts.
 *
 * @throws {InvalidInputError} with every problem and its pointer
 */
export function prepareWorld(input: World, context: ServiceContext): PreparedWorld {
  const checked = checkWorld(input, context);
  if (!checked.ok) invalidWorld(checked.problems);
  const { world, notes, problems, areas } = checked.value;
  // In this order: images need the account of image hosting, applications the facts about accounts and zones.
  const parts: readonly SeedPart[] = [
    tokensPart(world, context, areas.tokens),
    accountRulesetsPart(world, context),
    zoneRulesetsPart(world, context),
    brandPart(world, context, areas.brand),
    logosPart(world, context),
    imagesPart(world, context),
    uploadsPart(world, context),
    proxyPart(world),
    applicationsPart(context, areas.applications),
    zoneSettingsPart(world, context),
  ];
  assertNoProblems([...problems, ...parts.flatMap((part) => part.problems ?? [])]);
  return { world, notes, parts };
}

function invalidWorld(problems: readonly CodedDiagnostic[]): never {
  throw new InvalidInputError("the world is not valid", problems);
}

/** @throws {InvalidInputError} with the problems, when there are any */
export function assertNoProblems(problems: readonly CodedDiagnostic[]): void {
  if (problems.length > 0) invalidWorld(problems);
}
