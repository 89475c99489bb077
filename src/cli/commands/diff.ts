/** `edgeproof diff`: what a change of rules changes for requests. */

import {
  compareZones,
  type SideOfDifference,
  type ZoneComparison,
  type ZoneDifference,
} from "../../engine/tokens/analysis/compare-zones.ts";
import { checkZone } from "../../engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { profiles } from "../../service/settings.ts";
import {
  asJsonText,
  type Command,
  type CommandInput,
  choice,
  flag,
  type Io,
  jsonOption,
  text,
  UsageError,
} from "../command.ts";
import { profileOption } from "../input/world-file.ts";
import { readWorldZones, type WorldZones } from "../input/zone-inputs.ts";

export const diff: Command = {
  name: "diff",
  group: "rules",
  summary:
    "Tell whether two worlds' token rules do the same with every request, or show one that tells them apart.",
  about: [
    "Compares over all requests there can be, not over samples. For each difference it shows a request, and what the old and the new rules do with it. A text in place of a valid token says which key must have signed it.",
  ],
  positionals: "<old.json> <new.json>",
  options: {
    zone: { type: "string", value: "id", help: "Only this zone. Default: all of them." },
    ...jsonOption,
    ...profileOption,
  },
  exits: {
    0: "Both worlds do the same with every request.",
    1: "They differ, or it could not be decided.",
    2: "A file or an option cannot be used; standard error says why.",
  },
  examples: ["edgeproof diff old.json new.json", "edgeproof diff old.json new.json --zone z1 --json"],
  run: runDiff,
};

interface Compared {
  readonly zone: string;
  readonly comparison: ZoneComparison;
}

/** A zone that a world does not have lets everything through. */
const nothing: ZoneInput = { configs: [], rules: [] };

async function runDiff(input: CommandInput, io: Io): Promise<number> {
  const [oldFile, newFile, ...more] = input.positionals;
  if (oldFile === undefined || newFile === undefined || more.length > 0)
    throw new UsageError("name two world files: `edgeproof diff old.json new.json`");
  const worlds = [await readWorldZones(oldFile, io), await readWorldZones(newFile, io)] as const;
  for (const world of worlds) assertReadable(world, text(input, "zone"));
  const { precedence } = profiles[choice(input, "profile", ["spec", "provider"], "spec")];
  const compared = zonesOf(worlds, text(input, "zone")).map((zone): Compared => {
    return { zone, comparison: compareZone(worlds, zone, precedence) };
  });
  io.stdout.write(flag(input, "json") ? asJsonText(compared.map(asJson)) : asText(compared));
  return compared.every(({ comparison }) => comparison.result === "equivalent") ? 0 : 1;
}

function zonesOf(worlds: readonly WorldZones[], only: string | undefined): readonly string[] {
  const all = [...new Set(worlds.flatMap(({ zones }) => zones.map(({ id }) => id)))];
  if (only === undefined || all.includes(only)) return only === undefined ? all : [only];
  const known = all.map((id) => `\`${id}\``).join(", ") || "none";
  throw new UsageError(
    `no zone \`${only}\` has token validation in either file; those that have it are ${known}`,
  );
}

function compareZone(
  worlds: readonly [WorldZones, WorldZones],
  id: string,
  precedence: "all" | "first",
): ZoneComparison {
  const [left, right] = worlds.map(({ zones }) => zones.find((zone) => zone.id === id)?.input ?? nothing) as [
    ZoneInput,
    ZoneInput,
  ];
  return compareZones(left, right, { precedence });
}

/** @throws {UsageError} for a zone with expressions or keys that cannot be read */
function assertReadable({ file, source, zones }: WorldZones, only: string | undefined): void {
  const lines = zones
    .filter(({ id }) => only === undefined || id === only)
    .flatMap(({ at, input }) =>
      checkZone(input).map(({ pointer: within = "", message }) => {
        const { line, column } = source.locate(at + within);
        return `  line ${line}, column ${column}, ${at}${within}: ${message}`;
      }),
    );
  if (lines.length > 0) throw new UsageError(`${file} cannot be compared:\n${lines.join("\n")}`);
}

function asJson({ zone, comparison }: Compared) {
  return { zone, ...comparison };
}

function asText(compared: readonly Compared[]): string {
  if (compared.length === 0) return "no zone has token validation\n";
  return `${compared.flatMap(({ zone, comparison }) => describe(zone, comparison)).join("\n")}\n`;
}

function describe(zone: string, comparison: ZoneComparison): readonly string[] {
  if (comparison.result === "equivalent") return [`zone ${zone}: the same for every request`];
  if (comparison.result === "undecided") return [`zone ${zone}: not decided: ${comparison.reason}`];
  return [`zone ${zone}: different`, ...comparison.differences.flatMap(describeDifference)];
}

function describeDifference({ request, standIns, left, right }: ZoneDifference): readonly string[] {
  return [
    "",
    `  ${request.method} ${request.url}`,
    ...request.headers.map(([name, value]) => `  ${name}: ${value}`),
    ...standIns.map(
      ({ text: standIn, kid, alg }) => `    (${standIn} stands for a valid token: kid ${kid}, ${alg})`,
    ),
    `    old: ${describeSide(left)}`,
    `    new: ${describeSide(right)}`,
  ];
}

function describeSide({ action, rule, tokens }: SideOfDifference): string {
  const states = Object.entries(tokens).map(([id, state]) => `token of ${id} ${state}`);
  return [action, ...(rule === undefined ? [] : [`by ${rule}`]), ...states].join(", ");
}
