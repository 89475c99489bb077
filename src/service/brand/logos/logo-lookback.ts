/** Searches the pictures that were scanned before for a logo that is new. */

import { type LogoDescriptor, readLogoDescriptor } from "../../../engine/logo/descriptor.ts";
import { compareLogos } from "../../../engine/logo/features/compare.ts";
import type { ReadTransaction, Store } from "../../../store/port.ts";
import { descriptorKey, type LogoScanRecord } from "../../../store/records/brand.ts";

/** What a search has found, and how far it came. */
export interface LogoLookback {
  readonly found: readonly { readonly scan: LogoScanRecord; readonly score: number }[];
  readonly last: Place;
}

type Place = Pick<LogoScanRecord, "position" | "id">;

/** What is sought. */
export interface SoughtLogo {
  readonly descriptor: LogoDescriptor;
  readonly threshold: number;
}

const start: Place = { position: 0, id: "" };

/** Pictures that are looked at in one go. */
const pageSize = 100;

/** Searches all pictures of an account, page by page, each read in a transaction of its own. */
export function lookBackForLogo(store: Store, account: string, logo: SoughtLogo): Promise<LogoLookback> {
  return search(store, logo, start, (last) => store.read((tx) => readPage(tx, account, last)));
}

/** Goes on with a search inside of a transaction, where no picture can come behind it. */
export async function lookBackRestForLogo(
  store: Store,
  tx: ReadTransaction,
  account: string,
  logo: SoughtLogo,
  before: LogoLookback,
): Promise<LogoLookback["found"]> {
  const rest = await search(store, logo, before.last, (last) => readPage(tx, account, last));
  return [...before.found, ...rest.found];
}

async function search(
  { blobs }: Store,
  { descriptor, threshold }: SoughtLogo,
  from: Place,
  nextPage: (last: Place) => Promise<readonly LogoScanRecord[]>,
): Promise<LogoLookback> {
  const found: { scan: LogoScanRecord; score: number }[] = [];
  let last = from;
  for (;;) {
    const page = await nextPage(last);
    if (page.length === 0) return { found, last };
    for (const scan of page) {
      const bytes = await blobs.get(descriptorKey(scan.blob));
      const score = bytes ? compareLogos(descriptor, readLogoDescriptor(bytes)).score : -1;
      if (score >= threshold) found.push({ scan, score });
    }
    last = page.at(-1)!;
  }
}

function readPage(tx: ReadTransaction, account: string, last: Place): Promise<LogoScanRecord[]> {
  return tx.find("brand_logo_scans", account, {
    where: [{ field: "position", op: "gt", value: 0 }],
    order: [{ field: "position", direction: "asc" }],
    after: [last.position, last.id],
    limit: pageSize,
  });
}
