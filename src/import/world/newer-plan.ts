/** A plan is newer than a state of the same deployment: it says what each resource becomes, and which are deleted. */
import { counted } from "../../errors.ts";
import { leftOut } from "../import-rules.ts";
import type { Origin } from "../origin.ts";
import type { PlannedResource, Reading, Resource } from "../reading.ts";

type Planned = NonNullable<Reading["planned"]>;

/** The readings without the resources of states that a plan of the same deployment has; a line says so for each state. */
export function withNewerPlans(readings: readonly Reading[]): readonly Reading[] {
  return readings.map((state) => {
    const plans = state.isState
      ? readings.filter(({ planned }) => planned && isSameDeployment(state, planned))
      : [];
    return plans.reduce(withoutPlanned, state);
  });
}

/** Whether resources have the same addresses and, where both files have them, the same ids. */
function isSameDeployment({ resources }: Reading, planned: Planned): boolean {
  const shared = resources.flatMap((resource) => {
    const other = planned.get(resource.origin.address ?? "");
    return other ? [[resource, other] as const] : [];
  });
  const isSame = ([resource, other]: readonly [Resource, PlannedResource]) =>
    resource.id !== undefined && resource.id === other.id;
  return (
    shared.some(isSame) ||
    (shared.length > 0 && !shared.some(([resource, other]) => isOther(resource, other)))
  );
}

/** Whether two files name different ids. Addresses such as `cloudflare_ruleset.main` are in many deployments. */
function isOther(resource: PlannedResource, other: PlannedResource): boolean {
  return (["id", "zone", "account"] as const).some(
    (name) => resource[name] !== undefined && other[name] !== undefined && resource[name] !== other[name],
  );
}

function withoutPlanned(state: Reading, { planned = new Map(), resources: [first] }: Reading): Reading {
  const isKept = (address: string | undefined) => address === undefined || !planned.has(address);
  const replaced = state.resources.filter(({ origin }) => !isKept(origin.address));
  const [at] = replaced;
  if (!at) return state;
  const file = first?.origin.file.place("").file;
  const plan = file === undefined ? "The plan" : `The plan ${file}`;
  const message = `${plan} is newer than this state of the same deployment; its values count for ${counted(replaced.length, "resource")}, those that it deletes included.`;
  const whole: Origin = { file: at.origin.file, pointer: "" };
  const without = <T extends { readonly at: { readonly pointer?: string } }>(parts: readonly T[]) =>
    parts.filter((part) => isKept(part.at.pointer));
  return {
    ...state,
    resources: state.resources.filter(({ origin }) => isKept(origin.address)),
    dropped: [...without(state.dropped), leftOut(whole, message)],
    derived: without(state.derived),
  };
}
