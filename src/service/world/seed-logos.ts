/** Puts an account's logos and scanned pictures from a world file into the store, by the same checks as the endpoints. */
import { compareLogos } from "../../engine/logo/features/compare.ts";
import { type Problem, pointer, quote } from "../../errors.ts";
import type { Store, WriteTransaction } from "../../store/port.ts";
import { deletePicture, putPicture } from "../brand/logos/logo-blobs.ts";
import { createLogoQuery, type LogoFields, logoKey } from "../brand/logos/logo-queries.ts";
import { type LogoPair, storeLogoMatches, storeScan } from "../brand/logos/logo-store.ts";
import { scanKey } from "../brand/logos/observe-images.ts";
import { checkPicture, type Picture, type Read, readBase64, readPicture } from "../brand/logos/picture.ts";
import { checkScan, type DescribedScan, readScan } from "../brand/logos/scan-record.ts";
import { genericCodes, type ServiceContext } from "../context.ts";
import type { AccountBrandWorld } from "./brand.ts";
import type { WorldPart } from "./part.ts";

interface LogoSeed {
  readonly fields: LogoFields;
  readonly key: string;
  readonly picture: Picture;
}

type ScanSeed = DescribedScan & { readonly key: string };

/** What an account is seeded with. Its pictures are stored already. */
interface Prepared {
  readonly logos: readonly LogoSeed[];
  readonly scans: readonly ScanSeed[];
}

type Pictures = Required<Pick<AccountBrandWorld, "logo_queries" | "scans">>;

/** Logos and scanned pictures of the world's accounts. */
export const logosPart: WorldPart = ({ accounts = [] }, context) => {
  const inputs = accounts.flatMap(({ id, brand }, i) => {
    const { logo_queries = [], scans = [] } = brand ?? {};
    return logo_queries.length + scans.length === 0
      ? []
      : [{ id, pictures: { logo_queries, scans }, at: pointer("accounts", i, "brand") }];
  });
  const prepared = new Map<string, Prepared>();
  return {
    problems: inputs.flatMap(({ pictures, at }) => problemsOf(context, pictures, at)),
    prepare: async (store, fresh) => {
      const problems: Problem[] = [];
      for (const { id, pictures, at } of inputs) {
        if (!fresh.includes(id)) continue;
        prepared.set(id, await prepareAccount({ ...context, store }, id, pictures, at, problems));
      }
      if (problems.length > 0) for (const account of prepared.values()) await forget(store, account);
      return problems;
    },
    seedAccount: async (tx, account) => {
      const seed = prepared.get(account);
      if (seed) await seedPictures(context, tx, account, seed);
    },
  };
};

function problem(at: string, message: string): Problem {
  return { code: genericCodes.brand.invalid, pointer: at, message };
}

function problemsOf(context: ServiceContext, { logo_queries, scans }: Pictures, at: string): Problem[] {
  const tags = logo_queries.map((logo) => logo.tag);
  return [
    ...logo_queries.flatMap((logo, i) => {
      const place = `${at}${pointer("logo_queries", i)}`;
      const first = tags.indexOf(logo.tag);
      const taken = `The tag ${quote(logo.tag)} stands at ${at}${pointer("logo_queries", first, "tag")} already.`;
      return [
        ...(first < i ? [problem(`${place}/tag`, taken)] : []),
        ...imageProblems(logo, place, () => checkLogo(context, logo.image!)),
      ];
    }),
    ...scans.flatMap((scan, i) => {
      const place = `${at}${pointer("scans", i)}`;
      return imageProblems(scan, place, () => checkScan(context, scan));
    }),
  ];
}

function imageProblems(
  { image, image_path }: { readonly image?: string | undefined; readonly image_path?: string | undefined },
  place: string,
  check: () => Read<unknown>,
): Problem[] {
  if (image_path !== undefined) {
    return [
      problem(`${place}/image_path`, "Files are read by the command line only; give `image` in base64."),
    ];
  }
  if (image === undefined)
    return [problem(`${place}/image`, "`image` is missing; give a picture in base64.")];
  const checked = check();
  return "fault" in checked ? [problem(place, checked.fault)] : [];
}

function checkLogo({ limits }: ServiceContext, text: string): Read<unknown> {
  const bytes = readBase64(text, limits.logoBytes);
  return "fault" in bytes ? bytes : checkPicture(bytes.value, "query", limits);
}

/** Decodes and stores the pictures; what only decoding shows is put to the problems. */
async function prepareAccount(
  context: ServiceContext,
  account: string,
  { logo_queries, scans }: Pictures,
  at: string,
  problems: Problem[],
): Promise<Prepared> {
  const logos: LogoSeed[] = [];
  for (const [i, { tag, similarity_threshold, image = "" }] of logo_queries.entries()) {
    const bytes = readBase64(image, context.limits.logoBytes);
    const read = "fault" in bytes ? bytes : await readPicture(bytes.value, "query", context.limits);
    if ("fault" in read) problems.push(problem(`${at}${pointer("logo_queries", i)}`, read.fault));
    else {
      const key = logoKey(context, account);
      await putPicture(context.store.blobs, key, read.value);
      logos.push({ fields: { tag, similarity_threshold }, key, picture: read.value });
    }
  }
  const found: ScanSeed[] = [];
  for (const [i, scan] of scans.entries()) {
    const read = await readScan(context, account, scan);
    if ("fault" in read) problems.push(problem(`${at}${pointer("scans", i)}`, read.fault));
    else {
      const key = scanKey(context, account);
      await putPicture(context.store.blobs, key, read.value.picture);
      found.push({ ...read.value, key });
    }
  }
  return { logos, scans: found };
}

async function forget({ blobs }: Store, { logos, scans }: Prepared): Promise<void> {
  for (const { key } of [...logos, ...scans]) await deletePicture(blobs, key);
}

async function seedPictures(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  { logos, scans }: Prepared,
): Promise<void> {
  const queries = [];
  for (const { fields, key, picture } of logos) {
    const query = await createLogoQuery(context, tx, account, fields, key, picture);
    queries.push({ query, descriptor: picture.descriptor });
  }
  const pairs: LogoPair[] = [];
  for (const { scan, key, picture } of scans) {
    const stored = await storeScan(tx, { ...scan, blob: key }, true);
    for (const { query, descriptor } of queries) {
      const { score } = compareLogos(descriptor, picture.descriptor);
      if (score >= query.similarity_threshold) pairs.push({ queryId: query.query_id, score, scan: stored });
    }
  }
  await storeLogoMatches(tx, account, pairs);
}
