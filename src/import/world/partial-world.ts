/** The undecided parts in a world file: written with a world that was made from incomplete input, and read from it. */
import type { Location } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import type { ZonePlan } from "../../engine/tokens/rulesets/input/zone-facts.ts";
import { pointer } from "../../errors.ts";
import type { World } from "../../service/world/schema.ts";
import { type UndecidedPart, undecidedParts } from "../../service/world/undecided.ts";
import { type Effect, type Undecided, undecidedPart } from "../undecided.ts";

/** The world with what it does not have; the same one when nothing is undecided. */
export function withUndecided(world: World, undecided: readonly Undecided[]): World {
  return undecided.length === 0 ? world : { ...world, undecided: undecided.map(writePart) };
}

function writePart({ about, subject, message, run, effect, at }: Undecided): UndecidedPart {
  const zone = subject?.["zone"];
  const { file, start, pointer: place } = at;
  return {
    about,
    ...(zone !== undefined && { zone }),
    message,
    run,
    ...(effect && { effect: writeEffect(effect) }),
    at: { file, ...start, ...(place !== undefined && { pointer: place }) },
  };
}

function writeEffect({ hosts, exceptOperations }: Effect): NonNullable<UndecidedPart["effect"]> {
  return {
    ...(hosts && { hosts: [...hosts] }),
    ...(exceptOperations && { except_operations: [...exceptOperations] }),
  };
}

/** The world with the domains of zones that have none, without the undecided parts that these resolve. */
export function withZoneNames(world: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!isJsonObject(world) || !Array.isArray(world["zones"])) return world;
  const nameOf = (id: unknown) =>
    typeof id === "string" && Object.hasOwn(names, id) ? names[id] : undefined;
  const zones = world["zones"].map((zone: unknown) => {
    const name = isJsonObject(zone) && zone["name"] === undefined ? nameOf(zone["id"]) : undefined;
    return name === undefined ? zone : { ...(zone as object), name };
  });
  const open = Array.isArray(world["undecided"]) ? world["undecided"] : [];
  const undecided = open.filter(
    (part: unknown) => !isJsonObject(part) || part["about"] !== "zone" || nameOf(part["zone"]) === undefined,
  );
  return { ...world, zones, ...(open.length > 0 && { undecided }) };
}

/** The world with a plan for the zones that have none; the same one without a plan. */
export function withZonePlans<W>(world: W, plan: ZonePlan | undefined): W {
  if (plan === undefined || !isJsonObject(world) || !Array.isArray(world["zones"])) return world;
  const zones = world["zones"].map((zone: unknown) =>
    isJsonObject(zone) && zone["plan"] === undefined ? { ...zone, plan } : zone,
  );
  return { ...world, zones };
}

/**
 * The undecided parts of a world file. The place of each is in the world file, with the address of a Terraform
 * resource. An invalid list is empty: validation of the world reports it.
 */
export function readUndecided(world: unknown, place: (pointer: string) => Location): readonly Undecided[] {
  const read = undecidedParts.safeParse(isJsonObject(world) ? world["undecided"] : undefined);
  if (!read.success) return [];
  return read.data.map(({ effect, at, ...facts }, i) => {
    const found = place(pointer("undecided", i));
    const address = at?.pointer && !at.pointer.startsWith("/") && { pointer: at.pointer };
    return undecidedPart({ ...found, ...address }, { ...facts, effect: effect && readEffect(effect) });
  });
}

function readEffect({ hosts, except_operations: except }: NonNullable<UndecidedPart["effect"]>): Effect {
  return { ...(hosts && { hosts }), ...(except && { exceptOperations: except }) };
}
