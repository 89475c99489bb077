/** The contribution of one area to reading a world and applying it to a store. */
import type { z } from "zod";
import { ApiError, type CodedDiagnostic } from "../../errors.ts";
import type { ReadTransaction, Store, WriteTransaction } from "../../store/port.ts";
import type { CheckContext } from "../context.ts";
import type { Seed, SeedLog } from "./report.ts";
import type { worldSchema } from "./schema.ts";

/** A world that matches the schema, defaults filled in. */
export type ParsedWorld = z.output<typeof worldSchema>;

/** An account of a world. */
export type WorldAccount = NonNullable<ParsedWorld["accounts"]>[number];

/** A zone of a world. */
export type WorldZone = NonNullable<ParsedWorld["zones"]>[number];

/** The result of the check of one area. */
export interface CheckedArea<Value> {
  /** Problems that the schema cannot detect, with pointers from the root of the world. */
  readonly problems: readonly CodedDiagnostic[];
  /** The contents that can be stored when there are no problems. */
  readonly value: Value;
}

/** Checks one area of a world, without a store and without decoding pictures. */
export type WorldCheck<Value> = (world: ParsedWorld, context: CheckContext) => CheckedArea<Value>;

/** Returns the value in an array; adds the problems of an ApiError to `problems`. */
export function collectProblems<T>(problems: CodedDiagnostic[], read: () => T): T[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problems.push(...error.problems);
    return [];
  }
}

/** The part of one area that is applied to a store. All functions but `prepare` are called in the transaction that applies the world. */
export interface SeedPart {
  /** Problems that {@link checkWorld} leaves to this part: those of pictures. */
  readonly problems?: readonly CodedDiagnostic[];
  /**
   * Called before the transaction with the accounts that are new to the store: for slow work and for blobs. May find
   * problems that only decoding a picture shows.
   */
  readonly prepare?: (store: Store, accounts: readonly string[]) => Promise<readonly CodedDiagnostic[]>;
  /** Makes the store follow the world in what only a world can say; reports what it changes in known zones and accounts. */
  readonly follow?: (tx: WriteTransaction, report: SeedLog) => Promise<void>;
  /** Parts that are stored once, and then belong to the store. */
  readonly seeded?: SeededPart;
}

/** Resources of zones or accounts that a world creates once. */
export interface SeededPart {
  readonly owners: "accounts" | "zones";
  /** The number that the store has: requests may have created some before a world listed the owner. */
  readonly count?: (tx: ReadTransaction, owner: string) => Promise<number>;
  /** Stores those of an owner; called when the owner is new to the store, which has none of it. */
  readonly create?: (tx: WriteTransaction, owner: string) => Promise<void>;
  /** The lists of an owner, to be compared with those of the store. */
  readonly lists: (owner: string) => readonly SeededList[];
}

/** Resources of one kind in the world, and in the store. */
export interface SeededList {
  /** Plural, for a line. */
  readonly things: string;
  /** Undefined when the world has no list: then nothing is compared. */
  readonly world: readonly Seed[] | undefined;
  readonly stored: (tx: ReadTransaction) => Promise<readonly Seed[]>;
  /** Whether resources that only the store has are no difference. */
  readonly isOpen?: true;
}
