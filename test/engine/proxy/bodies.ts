/** The table of triggers and near misses (`fixtures/proxy/codes.json`), with its abbreviations expanded. */
import { type App, type Facts, type ValidateOptions, validateApp } from "edgeproof/proxy";
import codes from "../../../fixtures/proxy/codes.json" with { type: "json" };
import { byName, direct, staticEdge, virtual, world } from "../../../src/engine/proxy/checks/samples.ts";

type Members = Record<string, unknown>;

/** The four applications that the table starts from, and nothing. */
const bases = { D: direct, N: byName, V: virtual, S: staticEdge, EMPTY: {} };

interface Written {
  readonly kind: "trigger" | "near-miss" | "not-an-error";
  readonly code: number;
  readonly check?: string;
  readonly name: string;
  readonly base: keyof typeof bases;
  readonly set?: Members;
  readonly unset?: readonly string[];
  readonly facts?: Members;
  readonly previous?: { readonly base: keyof typeof bases; readonly set?: Members };
  readonly mode?: "merge";
}

export interface Row extends Pick<Written, "kind" | "code" | "check" | "name"> {
  readonly body: Members;
  readonly facts: Facts;
  readonly options: ValidateOptions;
}

/** Every row of the table. */
export const rows: readonly Row[] = (codes as readonly Written[]).map(
  ({ kind, code, check, name, base, set, unset = [], facts, previous, mode }) => {
    const body: Members = { ...bases[base], ...set };
    for (const member of unset) delete body[member];
    const stored = previous && {
      ...normalized({ ...bases[previous.base], ...previous.set }),
      ...ids(previous.set),
    };
    const options: ValidateOptions = { ...(stored && { previous: stored }), ...(mode && { mode }) };
    return {
      kind,
      code,
      name,
      body,
      facts: { ...world, ...facts } as Facts,
      options,
      ...(check && { check }),
    };
  },
);

function ids(set: Members | undefined): { id?: string } {
  return typeof set?.["id"] === "string" ? { id: set["id"] } : {};
}

/** The stored form of a body that is known to be valid. */
export function normalized(body: unknown): App {
  const { app, violations } = validateApp(body);
  if (!app) throw new RangeError(`Give a valid body: ${violations[0]?.message}`);
  return app;
}
