/** The areas that `check` can be limited to, and what it leaves out. */
import { isJsonObject } from "../../../core/json-value.ts";
import { counted } from "../../../errors.ts";
import type { World } from "../../../service/world/schema.ts";
import type { Area, CheckValues } from "../../declarations/check.ts";
import type { CheckedFile } from "../../input/imports/checked-files.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import { type CaseKind, type ReportCase, skippedCase } from "../../output/report/report.ts";

/**
 * Whether an area is asked for, and the options that it needs are given; without `--only` all are asked for. The empty
 * name is for what belongs to no area.
 */
export function wantedAreas({ only, openapi, issuer, jwks }: CheckValues): (area: string) => boolean {
  const missing = [
    ...(openapi === undefined ? ["openapi"] : []),
    ...((issuer ?? jwks) === undefined ? ["keys"] : []),
  ];
  const isAsked = (area: string) => only.length === 0 || only.some((asked) => asked === area);
  return (area) => area === "" || (isAsked(area) && !missing.includes(area));
}

/** Whether applications are checked in the zone of a world beside them, and not in those of their files. */
export function hasGivenZone(files: readonly CheckedFile[], { world: given }: CheckValues): boolean {
  return given !== undefined && !files.some(({ file, world }) => world && file === given);
}

interface Content {
  readonly area: Area;
  /** Pictures are not checked. */
  readonly kind: CaseKind;
  readonly nouns: readonly [singular: string, plural: string];
  /** The list of zones or accounts, the member of each, and the list in it when that is not a list itself. */
  readonly path: string;
}

const contents: readonly Content[] = [
  {
    area: "tokens",
    kind: "rule",
    nouns: ["token rule", "token rules"],
    path: "zones/token_validation/rules",
  },
  { area: "tokens", kind: "rule", nouns: ["ruleset", "rulesets"], path: "zones/rulesets" },
  { area: "tokens", kind: "rule", nouns: ["ruleset", "rulesets"], path: "accounts/rulesets" },
  {
    area: "proxy",
    kind: "application",
    nouns: ["proxy application", "proxy applications"],
    path: "zones/proxy/applications",
  },
  {
    area: "brand",
    kind: "pattern",
    nouns: ["domain query", "domain queries"],
    path: "accounts/brand/queries",
  },
  {
    area: "brand",
    kind: "picture",
    nouns: ["logo query", "logo queries"],
    path: "accounts/brand/logo_queries",
  },
  { area: "brand", kind: "picture", nouns: ["scan", "scans"], path: "accounts/brand/scans" },
  {
    area: "images",
    kind: "variant",
    nouns: ["image variant", "image variants"],
    path: "accounts/images/variants",
  },
  {
    area: "images",
    kind: "picture",
    nouns: ["uploaded image", "uploaded images"],
    path: "accounts/images/images",
  },
];

/** The number of elements of the lists of all zones or accounts, in a world that need not match the schema. */
function countElements(world: unknown, path: string): number {
  const [owners = "", area = "", name] = path.split("/");
  return listAt(world, owners).flatMap((owner) =>
    name === undefined ? listAt(owner, area) : listAt(isJsonObject(owner) && owner[area], name),
  ).length;
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  // Responses have some lists as objects by id.
  if (isJsonObject(list)) return Object.values(list);
  return Array.isArray(list) ? list : [];
}

/** The number of elements that are not checked, and why. Invalid token rules are checked one by one. */
function uncheckedOf(
  { area, kind, path }: Content,
  { value: written }: WorldSource,
  valid: World,
  isWanted: boolean,
): { readonly count: number; readonly reason: string } {
  const count = countElements(written, path);
  if (!isWanted) return { count, reason: `--only does not name \`${area}\`` };
  if (kind === "picture") return { count, reason: "`check` does not read pictures; `serve` and `eval` do" };
  const invalid = area === "tokens" ? 0 : count - countElements(valid, path);
  return { count: invalid, reason: `the file does not match the schema in \`${area}\`` };
}

/** A failed case for each error of an import: the service would reject the resource, whatever is asked for. */
export function rejectedCases(group: string, { invalid, placeOf }: WorldSource): readonly ReportCase[] {
  return invalid.map((found) => {
    const at = placeOf(found.at);
    const name = `${found.rule} ${at.pointer || "/"}`;
    return {
      kind: "resource",
      group,
      name,
      status: "failed",
      diagnostics: [{ ...found, at }],
      location: at,
    };
  });
}

/** The parts that are not checked, by reason, and those that no world can hold. */
export function leftOutCases(
  file: string,
  world: World,
  source: WorldSource,
  isWanted: (area: string) => boolean,
): readonly ReportCase[] {
  const location = source.place("");
  return [
    ...contents.flatMap((content) => {
      const { count, reason } = uncheckedOf(content, source, world, isWanted(content.area));
      const { kind, nouns } = content;
      const message = `${counted(count, ...nouns)}; ${reason}`;
      return count === 0
        ? []
        : [skippedCase({ kind, count, group: file, name: nouns[1], message, location })];
    }),
    ...source.dropped.map(({ message, at }) => {
      const name = `part ${at.pointer || "/"}`;
      return skippedCase({ kind: "resource", group: at.file, name, message, location: source.placeOf(at) });
    }),
  ];
}
