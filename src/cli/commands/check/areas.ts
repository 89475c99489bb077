/** The areas that `check` can be limited to, and what it leaves out. */
import { isJsonObject } from "../../../core/json-value.ts";
import { counted } from "../../../errors.ts";
import type { World } from "../../../service/world/schema.ts";
import type { Area, CheckValues } from "../../declarations/check.ts";
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
  const isAsked = (area: string) => only.length === 0 || only.some((one) => one === area);
  return (area) => area === "" || (isAsked(area) && !missing.includes(area));
}

interface Content {
  readonly area: Area;
  readonly kind: CaseKind;
  readonly noun: string;
  readonly plural: string;
  /** The list: that of the zones or the accounts, the member of each, and the list in it. */
  readonly list: readonly [owners: "zones" | "accounts", area: string, name: string];
  /** Why `check` does not look at them; absent where it does. */
  readonly unchecked?: string;
}

const pictures = "`check` does not read pictures; `serve` and `eval` do";

const contents: readonly Content[] = [
  {
    area: "tokens",
    kind: "rule",
    noun: "token rule",
    plural: "token rules",
    list: ["zones", "token_validation", "rules"],
  },
  {
    area: "proxy",
    kind: "application",
    noun: "proxy application",
    plural: "proxy applications",
    list: ["zones", "proxy", "applications"],
  },
  {
    area: "brand",
    kind: "pattern",
    noun: "domain query",
    plural: "domain queries",
    list: ["accounts", "brand", "queries"],
  },
  {
    area: "brand",
    kind: "picture",
    noun: "logo query",
    plural: "logo queries",
    list: ["accounts", "brand", "logo_queries"],
    unchecked: pictures,
  },
  {
    area: "brand",
    kind: "picture",
    noun: "scan",
    plural: "scans",
    list: ["accounts", "brand", "scans"],
    unchecked: pictures,
  },
  {
    area: "images",
    kind: "variant",
    noun: "image variant",
    plural: "image variants",
    list: ["accounts", "images", "variants"],
  },
  {
    area: "images",
    kind: "picture",
    noun: "uploaded image",
    plural: "uploaded images",
    list: ["accounts", "images", "images"],
    unchecked: pictures,
  },
];

/** The number of elements of the lists of all zones or accounts, in a world that need not match the schema. */
function countElements(world: unknown, [owners, area, name]: Content["list"]): number {
  const counts = listAt(world, owners).map(
    (owner) => listAt(isJsonObject(owner) && owner[area], name).length,
  );
  return counts.reduce((all, one) => all + one, 0);
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** The elements that are not checked, and why. Invalid token rules are checked one by one. */
function uncheckedOf(
  { area, list, unchecked }: Content,
  { value: written }: WorldSource,
  valid: World,
  isWanted: boolean,
): { readonly count: number; readonly reason: string } {
  const all = countElements(written, list);
  const invalid = area === "tokens" ? 0 : all - countElements(valid, list);
  if (!isWanted) return { count: all, reason: `--only does not name \`${area}\`` };
  if (unchecked !== undefined) return { count: all, reason: unchecked };
  return { count: invalid, reason: `the file does not match the schema in \`${list[1]}\`` };
}

/** What is not checked, by reason, and what no world can hold. */
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
      if (count === 0) return [];
      const { kind, noun, plural } = content;
      const message = `${counted(count, noun, plural)}; ${reason}`;
      return [skippedCase({ kind, count, group: file, name: plural, message, location })];
    }),
    ...source.dropped.map(({ message, at }) => {
      const name = `part ${at.pointer || "/"}`;
      return skippedCase({ kind: "resource", group: file, name, message, location: source.placeOf(at) });
    }),
  ];
}
