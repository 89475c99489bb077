/** The areas that `check` can be limited to, and what it leaves out. */
import { counted } from "../../../errors.ts";
import type { World } from "../../../service/world/schema.ts";
import { type CommandInput, stringOption, stringOptions, UsageError } from "../../command.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import type { CaseKind } from "../../output/report/case-kinds.ts";
import type { ReportCase } from "../../output/report/report.ts";

/** The values of `--only`. */
export const areas = ["tokens", "proxy", "brand", "images", "keys", "openapi"] as const;

/** An area. */
export type Area = (typeof areas)[number];

/** Options without which nothing of an area can be checked. */
const needs: Readonly<Partial<Record<Area, readonly string[]>>> = {
  keys: ["issuer", "jwks"],
  openapi: ["openapi"],
};

/** Whether an area is asked for; names of no area are always. @throws {UsageError} for an unknown area, and one that needs another option */
export function readAreas(input: CommandInput): (area: string) => boolean {
  const only = stringOptions(input, "only");
  for (const name of only) assertPossible(name, input);
  return (area) => only.length === 0 || only.includes(area) || area === "";
}

function assertPossible(name: string, input: CommandInput): void {
  if (!areas.some((area) => area === name))
    throw new UsageError(
      `--only must be one of ${areas.map((area) => `\`${area}\``).join(", ")}; found \`${name}\``,
    );
  const options = needs[name as Area] ?? [];
  if (options.length > 0 && options.every((option) => stringOption(input, option) === undefined))
    throw new UsageError(`--only ${name} needs ${options.map((option) => `--${option}`).join(" or ")}`);
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
  const left = (
    kind: CaseKind,
    name: string,
    message: string,
    more: Partial<ReportCase> = {},
  ): ReportCase => {
    return {
      kind,
      group: file,
      name,
      status: "skipped",
      message,
      diagnostics: [],
      location: source.place(""),
      ...more,
    };
  };
  return [
    ...contents.flatMap(({ area, kind, noun, plural, count }) => {
      const found = count(world);
      if (isWanted(area) || found === 0) return [];
      const message = `${counted(found, noun, plural)}; --only does not name \`${area}\``;
      return [left(kind, plural, message, { count: found })];
    }),
    ...source.dropped.map(({ message, at }) => {
      return left("resource", `part ${at.pointer || "/"}`, message, { location: source.placeOf(at) });
    }),
  ];
}
