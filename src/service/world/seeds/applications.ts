/** Seeds the store with the proxy applications of the world's zones. */
import { validateCompiled } from "../../../engine/proxy/validate.ts";
import { type CodedDiagnostic, InvalidInputError } from "../../../errors.ts";
import type { WriteTransaction } from "../../../store/port.ts";
import { prefixPointers, type ServiceContext } from "../../context.ts";
import { insertApp, newAppId, restrictionsOf } from "../../proxy/apps.ts";
import { gatherFacts, referencedIn } from "../../proxy/facts.ts";
import type { ApplicationSeed } from "../checks/applications.ts";
import type { SeededList, SeedPart } from "../part.ts";
import { seededFrom } from "./seeded.ts";

interface AppSeed extends ApplicationSeed {
  /** That of the world, else a new one. */
  readonly id: string;
}

/** Proxy applications of the world's zones. */
export function applicationsPart(
  context: ServiceContext,
  checked: ReadonlyMap<string, readonly ApplicationSeed[]>,
): SeedPart {
  const seeds = new Map(
    [...checked].map(([zone, list]) => {
      return [
        zone,
        list.map((seed): AppSeed => ({ ...seed, id: seed.givenId ?? newAppId(context) })),
      ] as const;
    }),
  );
  return {
    seeded: seededFrom({
      owners: "zones",
      seeds,
      count: (tx, zone) => tx.count("proxy_apps", zone),
      create: (tx, zone, apps) => seedApps(context, tx, zone, apps),
      lists: (zone, apps) => [listOf(zone, apps)],
    }),
  };
}

/** @throws {InvalidInputError} with the violations that only the contents of the store show */
async function seedApps(
  context: ServiceContext,
  tx: WriteTransaction,
  zone: string,
  seeds: readonly AppSeed[],
): Promise<void> {
  const problems: CodedDiagnostic[] = [];
  for (const { at, id, body } of seeds) {
    const facts = await gatherFacts(context, tx, zone, referencedIn(body), undefined);
    const { violations, app } = validateCompiled(body, facts, restrictionsOf(context));
    problems.push(...prefixPointers(at, violations));
    if (app && violations.length === 0) await insertApp(context, tx, zone, id, app);
  }
  if (problems.length > 0) throw new InvalidInputError("the world is not valid", problems);
}

/** The applications of a zone. */
function listOf(zone: string, seeds: readonly AppSeed[]): SeededList {
  return {
    things: "proxy applications",
    world: seeds.map(({ givenId: id, app }) => ({ ...(id !== undefined && { id }), value: app })),
    stored: async (tx) => (await tx.find("proxy_apps", zone)).map(({ id, app }) => ({ id, value: app })),
  };
}
