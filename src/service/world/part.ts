/** The contribution of one area to reading a world and applying it to a store. */
import type { z } from "zod";
import type { CodedDiagnostic } from "../../errors.ts";
import type { ReadTransaction, Store, WriteTransaction } from "../../store/port.ts";
import type { ServiceContext } from "../context.ts";
import type { SeedLog } from "./report.ts";
import type { worldSchema } from "./schema.ts";

/** A world that matches the schema, defaults filled in. */
export type ParsedWorld = z.output<typeof worldSchema>;

/** An account of a world. */
export type WorldAccount = NonNullable<ParsedWorld["accounts"]>[number];

/** A zone of a world. */
export type WorldZone = NonNullable<ParsedWorld["zones"]>[number];

/** The validated part of one area. All functions but `prepare` are called in the transaction that applies the world. */
export interface ValidatedPart {
  /** Problems that the schema cannot detect, with pointers from the root of the world. */
  readonly problems: readonly CodedDiagnostic[];
  /**
   * Called before the transaction with the accounts that are new to the store: for slow work and for blobs. May find
   * problems that only decoding a picture shows.
   */
  readonly prepare?: (store: Store, accounts: readonly string[]) => Promise<readonly CodedDiagnostic[]>;
  /** Makes the store follow the world in what only a world can say; reports what it changes in known zones and accounts. */
  readonly follow?: (tx: WriteTransaction, report: SeedLog) => Promise<void>;
  /** Stores the contents of an account; called when the account is new to the store and `hasAccount` is false. */
  readonly seedAccount?: (tx: WriteTransaction, account: string) => Promise<void>;
  /** Stores the contents of a zone; called when the zone is new to the store and `hasZone` is false. */
  readonly seedZone?: (tx: WriteTransaction, zone: string) => Promise<void>;
  /** Whether the store has contents of an account, which requests created before a world listed it. */
  readonly hasAccount?: (tx: ReadTransaction, account: string) => Promise<boolean>;
  /** Whether the store has contents of a zone, which requests created before a world listed it. */
  readonly hasZone?: (tx: ReadTransaction, zone: string) => Promise<boolean>;
  /** Reports how the stored contents of an account differ from the world. */
  readonly compareAccount?: (tx: ReadTransaction, account: string, report: SeedLog) => Promise<void>;
  /** Reports how the stored contents of a zone differ from the world. */
  readonly compareZone?: (tx: ReadTransaction, zone: string, report: SeedLog) => Promise<void>;
}

/** Validates the part of one area. */
export type WorldPart = (world: ParsedWorld, context: ServiceContext) => ValidatedPart;
