/** Observes a feed of scanned pictures: decodes them, searches them for the account's logos, and stores them one by one. */
import { type ObserveCounts, type ObserveOptions, observeFeed } from "../feed.ts";
import type { Feed } from "../feed-batches.ts";
import type { LogoQueryCompiler } from "./compiled-logo-queries.ts";
import { notStored, type PictureService } from "./pictures.ts";
import type { ScanRecord } from "./scan-record.ts";

/**
 * Stores scanned pictures and their matches with the account's logo queries. The same picture of the same domain and
 * scan is stored once. Pictures that were stored before an abort stay.
 *
 * @throws {ApiError} when a world does not have the account
 * @throws {TypeError} for a feed that is not iterable
 * @throws the abort reason
 */
export type ObserveImages = (
  account: string,
  feed: Feed<ScanRecord>,
  options?: ObserveOptions,
) => Promise<ObserveCounts>;

export function createObserveImages(pictures: PictureService, compile: LogoQueryCompiler): ObserveImages {
  return async (account, feed, options = {}) => {
    await compile(account);
    return observeFeed(feed, options, 1, async ([record], line) => {
      const outcome = await pictures.observe([account], record, {
        retain: options.retain,
        signal: options.signal,
      });
      if (!outcome.ok) {
        return { matched: 0, added: 0, invalid: [{ line, message: outcome.problems[0].message }] };
      }
      const [{ isMatch, added, rejected: message } = notStored] = outcome.value;
      if (message !== undefined) return { matched: 0, added: 0, invalid: [{ line, message }] };
      return { matched: isMatch ? 1 : 0, added, invalid: [] };
    });
  };
}
