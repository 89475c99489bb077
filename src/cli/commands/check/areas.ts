/** The areas that `check` can be limited to, and what it leaves out. */
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
  /** The numbers in each zone or account. */
  readonly count: (world: World) => number;
}

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

const contents: readonly Content[] = [
  {
    area: "tokens",
    kind: "rule",
    noun: "token rule",
    plural: "token rules",
    count: ({ zones = [] }) => sum(zones.map((zone) => zone.token_validation?.rules?.length ?? 0)),
  },
  {
    area: "proxy",
    kind: "application",
    noun: "proxy application",
    plural: "proxy applications",
    count: ({ zones = [] }) => sum(zones.map((zone) => zone.proxy?.applications?.length ?? 0)),
  },
  {
    area: "brand",
    kind: "pattern",
    noun: "domain query",
    plural: "domain queries",
    count: ({ accounts = [] }) => sum(accounts.map(({ brand }) => brand?.queries?.length ?? 0)),
  },
  {
    area: "images",
    kind: "variant",
    noun: "image variant",
    plural: "image variants",
    count: ({ accounts = [] }) => sum(accounts.map(({ images }) => images?.variants?.length ?? 0)),
  },
];

/** What `--only` leaves out, and what no world can hold. */
export function leftOutCases(
  file: string,
  world: World,
  source: WorldSource,
  isWanted: (area: string) => boolean,
): readonly ReportCase[] {
  const location = source.place("");
  return [
    ...contents.flatMap(({ area, kind, noun, plural, count }) => {
      const found = count(world);
      if (isWanted(area) || found === 0) return [];
      const message = `${counted(found, noun, plural)}; --only does not name \`${area}\``;
      return [skippedCase({ kind, count: found, group: file, name: plural, message, location })];
    }),
    ...source.dropped.map(({ message, at }) => {
      const name = `part ${at.pointer || "/"}`;
      return skippedCase({ kind: "resource", group: file, name, message, location: source.placeOf(at) });
    }),
  ];
}
