/** Checks the proxy applications of a world's zones with the facts that the world has. */
import type { App } from "../../../engine/proxy/model.ts";
import { type CodedDiagnostic, problem, quote } from "../../../errors.ts";
import { genericCodes, prefixPointers } from "../../context.ts";
import { checkApplications as validateApplications } from "../applications.ts";
import type { WorldCheck } from "../part.ts";

/** An application, ready to be stored. */
export interface ApplicationSeed {
  /** RFC 6901 pointer of the application in the world. */
  readonly at: string;
  /** The id of the world, in lower case; undefined without one. */
  readonly givenId: string | undefined;
  /** The application as it was written. */
  readonly body: unknown;
  /** The application with its defaults. */
  readonly app: App;
}

/** Applications by zone, as if requests created them one after another. */
export const checkApplications: WorldCheck<ReadonlyMap<string, readonly ApplicationSeed[]>> = (
  world,
  { settings: { restrictions }, proxy },
) => {
  const problems: CodedDiagnostic[] = [];
  const value = new Map<string, ApplicationSeed[]>();
  const ids = new Map<string, Map<string, string>>();
  for (const { id, proxy: own } of world.zones ?? []) if (own?.applications) value.set(id, []);
  for (const { at, zone, body, validation } of validateApplications(world, { ...proxy, restrictions })) {
    const { id } = body as { readonly id?: unknown };
    const known = ids.get(zone) ?? new Map<string, string>();
    ids.set(zone, known);
    const found = [...idProblems(id, `${at}/id`, known), ...prefixPointers(at, validation.violations)];
    problems.push(...found);
    if (found.length > 0 || !validation.app) continue;
    const givenId = typeof id === "string" ? id.toLowerCase() : undefined;
    value.get(zone)?.push({ at, givenId, body, app: validation.app });
  }
  return { problems, value };
};

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
