/** Seeds the store with the proxy applications of the world's zones, after the same checks as in the endpoints. */
import { compileFacts } from "../../../engine/proxy/facts/compile-facts.ts";
import type { App } from "../../../engine/proxy/model.ts";
import { validateCompiled } from "../../../engine/proxy/validate.ts";
import { type CodedDiagnostic, InvalidInputError, pointer, problem, quote } from "../../../errors.ts";
import type { WriteTransaction } from "../../../store/port.ts";
import { genericCodes, prefixPointers, type ServiceContext } from "../../context.ts";
import { insertApp, newAppId, restrictionsOf } from "../../proxy/apps.ts";
import { gatherFacts, referencedIn } from "../../proxy/facts.ts";
import type { SeededList, WorldPart, WorldZone } from "../part.ts";
import { seededFrom } from "./seeded.ts";

interface AppSeed {
  /** RFC 6901 pointer of the application in the world. */
  readonly at: string;
  readonly id: string;
  /** Whether the world gives the id. */
  readonly hasId: boolean;
  /** The application without its id, as it was written. */
  readonly body: unknown;
  /** The application with its defaults. */
  readonly app: App;
}

/** Proxy applications of the world's zones. */
export const applicationsPart: WorldPart = ({ zones = [] }, context) => {
  const problems: CodedDiagnostic[] = [];
  const seeds = new Map<string, readonly AppSeed[]>();
  for (const [i, zone] of zones.entries()) {
    if (!zone.proxy?.applications) continue;
    seeds.set(zone.id, prepareApps(context, zone, pointer("zones", i, "proxy", "applications"), problems));
  }
  return {
    problems,
    seeded: seededFrom({
      owners: "zones",
      seeds,
      count: (tx, zone) => tx.count("proxy_apps", zone),
      create: (tx, zone, apps) => seedApps(context, tx, zone, apps),
      lists: (zone, apps) => [listOf(zone, apps)],
    }),
  };
};

/** Adds what is wrong whatever the store has to `problems`. */
function prepareApps(
  context: ServiceContext,
  { id: zone, proxy }: WorldZone,
  at: string,
  problems: CodedDiagnostic[],
): readonly AppSeed[] {
  const facts = compileFacts({ zone });
  const ids = new Map<string, string>();
  return (proxy?.applications ?? []).flatMap((application, i): AppSeed[] => {
    const appAt = at + pointer(i);
    const { id, ...body } = application;
    const { violations, app } = validateCompiled(body, facts, restrictionsOf(context));
    const found = [...idProblems(id, `${appAt}/id`, ids), ...prefixPointers(appAt, violations)];
    problems.push(...found);
    if (found.length > 0 || !app) return [];
    const hasId = typeof id === "string";
    return [{ at: appAt, id: hasId ? id.toLowerCase() : newAppId(context), hasId, body, app }];
  });
}

const appId = /^[0-9a-f]{32}$/i;

function idProblems(id: unknown, at: string, known: Map<string, string>): CodedDiagnostic[] {
  const code = genericCodes.shared.invalid;
  if (id === undefined) return [];
  if (typeof id !== "string" || !appId.test(id))
    return [problem(code, `\`id\` must be 32 hexadecimal digits; found ${quote(id)}.`, at)];
  const first = known.get(id.toLowerCase());
  if (first === undefined) {
    known.set(id.toLowerCase(), at);
    return [];
  }
  return [problem(code, `\`id\` must be unique in the zone; ${quote(id)} is also at \`${first}\`.`, at)];
}

/** @throws {InvalidInputError} with the violations that only the account, the zones and other applications show */
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
    world: seeds.map(({ id, hasId, app }) => ({ ...(hasId && { id }), value: app })),
    stored: async (tx) => (await tx.find("proxy_apps", zone)).map(({ id, app }) => ({ id, value: app })),
  };
}
