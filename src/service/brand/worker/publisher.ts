/** Puts scanned pictures on a work queue, for workers that describe and store them. */

import { createHash } from "node:crypto";
import {
  aFunction,
  anyObject,
  arrayOf,
  aString,
  objectWith,
  optional,
  optionsOf,
  requireArgument,
} from "../../../core/arguments.ts";
import { type Failure, type Result, success } from "../../../core/result.ts";
import { sentence } from "../../../core/text/sentence.ts";
import { keepSuccess } from "../../../core/work/keep-success.ts";
import type { WorkQueue } from "../../../queue/port.ts";
import { maxMessageAccounts } from "../../../schemas/work-messages.ts";
import type { Store } from "../../../store/port.ts";
import { type Limits, resolveLimits } from "../../limits.ts";
import { type Clock, formatTimestamp } from "../../time.ts";
import { reject } from "../invalid-input.ts";
import { type CheckedScan, checkScan, type ScanRecord, scanId } from "../logos/scan-record.ts";
import { checkQueueName, forgetQueuedPicture, putQueuedPicture } from "./queued-pictures.ts";
import { encodePictureMessage, factsProblem, type PictureMessage, sha256Of } from "./work-message.ts";

/** Options of `createPublisher`. */
export interface PublisherOptions {
  /** The queue of the workers. */
  readonly queue: WorkQueue;
  /**
   * Opens the store of the workers, at the first picture that is larger than a message of the queue may be: such a
   * picture waits in the store. Without it, it is rejected. The caller closes the store.
   */
  readonly openStore?: () => Promise<Store>;
  /** Name of the queue in keys of the store, that of its workers: 1 to 64 letters, digits, `_` and `-`. Default `work`. */
  readonly queueName?: string;
  /** Maximum size of a picture, when it differs from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /** Returns milliseconds since 1970: the time of pictures without `matched_at`. Default `Date.now`. */
  readonly clock?: Clock;
}

const publisherOptions = optionsOf<PublisherOptions>("createPublisher", {
  queue: objectWith({ put: aFunction }),
  openStore: optional(aFunction),
  queueName: optional(aString),
  clock: optional(aFunction),
  limits: optional(anyObject),
});

/** Puts pictures on a queue. */
export interface Publisher {
  /**
   * Validates a picture without decoding it, and puts it on the queue for accounts. A picture that waits there for the
   * same accounts, with the same domain and scan id, is not put again.
   *
   * @param accounts 1 to 100 ids; whether they exist is found by the worker
   * @returns whether it was put; a failure with one problem for a record that is not valid
   * @throws {DependencyUnavailableError} when the queue or the store cannot be reached; it can then be put again
   */
  put(accounts: readonly string[], record: ScanRecord): Promise<Result<{ readonly isNew: boolean }>>;
}

/**
 * Creates a publisher.
 *
 * @throws {RangeError} for an invalid option
 * @example
 * ```ts
 * const queue = createMemoryQueue();
 * const publisher = createPublisher({ queue });
 * const outcome = await publisher.put(["a1"], { domain: "shop.example", image: new Uint8Array() });
 * outcome.ok; // => false
 * ```
 */
export function createPublisher(options: PublisherOptions): Publisher {
  requireArgument("options", options, publisherOptions);
  const { queue, openStore, queueName = "work", clock = Date.now } = options;
  const { logoBytes: maxBytes, logoPixels: maxPixels } = resolveLimits(options.limits);
  checkQueueName(queueName);
  const store = openStore && keepSuccess(openStore);

  /** Puts the picture in the message, or beside it when the queue does not accept a message of that size. */
  async function putMessage(
    message: Omit<PictureMessage, "picture">,
    bytes: Uint8Array,
    key: string,
  ): Promise<boolean | Failure> {
    try {
      return await queue.put(encodePictureMessage({ ...message, picture: bytes }), { key });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (!store) return reject(sentence(error.message));
    }
    const opened = await store.get();
    const blob = await putQueuedPicture(opened, queueName, bytes);
    const picture = { blob, bytes: bytes.length, sha256: sha256Of(bytes) };
    const isNew = await queue.put(encodePictureMessage({ ...message, picture }), { key });
    if (!isNew) await forgetQueuedPicture(opened, blob);
    return isNew;
  }

  return {
    put: async (accounts, record) => {
      requireArgument("accounts", accounts, arrayOf(aString));
      const ids = [...new Set(accounts)].sort();
      if (ids.length < 1 || ids.length > maxMessageAccounts)
        throw new RangeError(
          `a picture must be for 1 to ${maxMessageAccounts} accounts; found ${ids.length}`,
        );
      const checked = checkScan({ clock }, { maxBytes, maxPixels }, record);
      if (!checked.ok) return checked;
      const facts = statedFacts(checked.value.facts);
      const tooLarge = factsProblem(facts);
      if (tooLarge !== undefined) return reject(tooLarge);
      const { bytes } = checked.value;
      const put = await putMessage({ accounts: ids, facts }, bytes, keyOf(ids, checked.value));
      return typeof put === "boolean" ? success({ isNew: put }) : put;
    },
  };
}

/** The same accounts, domain, scan and bytes have the same key. */
function keyOf(accounts: readonly string[], scan: CheckedScan): string {
  return createHash("sha256")
    .update(JSON.stringify([accounts, scanId(scan)]))
    .digest("hex");
}

/** The facts with the time of the publication, when they have none: the worker may be hours later. */
function statedFacts({ domain, registrar, url_scan_id, matched_at }: CheckedScan["facts"]) {
  return {
    ...(domain !== "" && { domain }),
    ...(registrar !== "" && { registrar }),
    ...(url_scan_id !== "" && { url_scan_id }),
    matched_at: formatTimestamp(matched_at),
  };
}
