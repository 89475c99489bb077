/** What an area adds to reading and seeding a world. */
import type { z } from "zod";
import type { Problem } from "../../errors.ts";
import type { Store, WriteTransaction } from "../../store/port.ts";
import type { ServiceContext } from "../context.ts";
import type { worldSchema } from "./schema.ts";

/** A world as read: of the right shape, defaults filled in. */
export type ParsedWorld = z.output<typeof worldSchema>;

/** An area's part of a world, checked. */
export interface ValidatedPart {
  /** What the schema cannot say, with pointers from the world's root. */
  readonly problems: readonly Problem[];
  /**
   * Called before the seeding transaction with the accounts that the store does not have yet: for slow work, and
   * for blobs. It may find problems that only decoding shows.
   */
  readonly prepare?: (store: Store, accounts: readonly string[]) => Promise<readonly Problem[]>;
  /** Called once in the seeding transaction, when there are no problems in any part. */
  readonly seedWorld?: (tx: WriteTransaction) => Promise<void>;
  /** Called for each account of the world that the store does not have yet. */
  readonly seedAccount?: (tx: WriteTransaction, account: string) => Promise<void>;
  /** Called for each zone of the world that the store does not have yet. */
  readonly seedZone?: (tx: WriteTransaction, zone: string) => Promise<void>;
}

/** Checks an area's part of a world. */
export type WorldPart = (world: ParsedWorld, context: ServiceContext) => ValidatedPart;
