/** The contribution of one area to reading and seeding a world. */
import type { z } from "zod";
import type { Problem } from "../../errors.ts";
import type { Store, WriteTransaction } from "../../store/port.ts";
import type { ServiceContext } from "../context.ts";
import type { worldSchema } from "./schema.ts";

/** A world that matches the schema, defaults filled in. */
export type ParsedWorld = z.output<typeof worldSchema>;

/** The validated part of one area. */
export interface ValidatedPart {
  /** Problems that the schema cannot detect, with pointers from the root of the world. */
  readonly problems: readonly Problem[];
  /**
   * Called before the seeding transaction with the accounts that the store does not have yet: for slow work and
   * for blobs. May find problems that only decoding a picture shows.
   */
  readonly prepare?: (store: Store, accounts: readonly string[]) => Promise<readonly Problem[]>;
  /** Called once in the seeding transaction, when there are no problems in any part. */
  readonly seedWorld?: (tx: WriteTransaction) => Promise<void>;
  /** Called for each account of the world that the store does not have yet. */
  readonly seedAccount?: (tx: WriteTransaction, account: string) => Promise<void>;
  /** Called for each zone of the world that the store does not have yet. */
  readonly seedZone?: (tx: WriteTransaction, zone: string) => Promise<void>;
}

/** Validates the part of one area. */
export type WorldPart = (world: ParsedWorld, context: ServiceContext) => ValidatedPart;
