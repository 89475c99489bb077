/** Stores an account's logos and scanned pictures from a world file, with the same validation as the endpoints. */
import { createHash } from "node:crypto";
import type { Result } from "../../../core/result.ts";
import { compareWhole } from "../../../engine/logo/features/compare.ts";
import { bestHit } from "../../../engine/logo/find-logos.ts";
import { type CodedDiagnostic, pointer, problem, quote } from "../../../errors.ts";
import type { AccountBrandWorld } from "../../../schemas/brand.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import { putPicture } from "../../brand/logos/logo-blobs.ts";
import { createLogoQuery, type LogoFields } from "../../brand/logos/logo-queries.ts";
import { type FoundLogo, type LogoPair, storeLogoMatches, storeScan } from "../../brand/logos/logo-store.ts";
import { checkPicture, type LogoPicture, readBase64, readLogo } from "../../brand/logos/picture.ts";
import { checkScan, type DescribedScan, describeScan, scanId } from "../../brand/logos/scan-record.ts";
import { ownSettings } from "../../brand/settings/account-settings.ts";
import { searchRaster } from "../../brand/tasks/logo-tasks.ts";
import type { Compute } from "../../compute.ts";
import { genericCodes, type ServiceContext } from "../../context.ts";
import type { ParsedWorld, SeededList, SeedPart } from "../part.ts";
import type { Seed } from "../report.ts";

interface LogoSeed {
  readonly fields: LogoFields;
  readonly key: string;
  readonly picture: LogoPicture;
}

/** A scanned picture, and the logos in it by their number in the world. */
interface ScanSeed extends Pick<DescribedScan, "scan"> {
  readonly key: string;
  readonly found: readonly (FoundLogo & { readonly logo: number })[];
}

/** The logos and scans of an account. Their pictures are already stored. */
interface PreparedPictures {
  readonly logos: readonly LogoSeed[];
  readonly scans: readonly ScanSeed[];
}

type WorldPictures = Required<Pick<AccountBrandWorld, "logo_queries" | "scans">>;

/** Logos and scanned pictures of the world's accounts. */
export function logosPart({ accounts = [] }: ParsedWorld, context: ServiceContext): SeedPart {
  const inputs = accounts.flatMap(({ id, brand }, i) => {
    const { logo_queries = [], scans = [] } = brand ?? {};
    return logo_queries.length + scans.length === 0
      ? []
      : [{ id, pictures: { logo_queries, scans }, at: pointer("accounts", i, "brand") }];
  });
  const prepared = new Map<string, PreparedPictures>();
  return {
    problems: inputs.flatMap(({ pictures, at }) => problemsOf(context, pictures, at)),
    prepare: async (store, fresh) => {
      const problems: CodedDiagnostic[] = [];
      for (const { id, pictures, at } of inputs) {
        if (!fresh.includes(id)) continue;
        prepared.set(id, await prepareAccount({ ...context, store }, pictures, at, problems));
      }
      return problems;
    },
    seeded: {
      owners: "accounts",
      count: (tx, account) => tx.count("brand_logo_queries", account),
      create: async (tx, account) => {
        const seed = prepared.get(account);
        if (seed) await seedPictures(context, tx, account, seed);
      },
      lists: (account) => listsOf(context, account, accounts.find(({ id }) => id === account)?.brand ?? {}),
    },
  };
}

function pictureProblem(at: string, message: string): CodedDiagnostic {
  return problem(genericCodes.brand.invalid, message, at);
}

function problemsOf(
  context: ServiceContext,
  { logo_queries, scans }: WorldPictures,
  at: string,
): CodedDiagnostic[] {
  const tags = logo_queries.map((logo) => logo.tag);
  return [
    ...logo_queries.flatMap((logo, i) => {
      const logoAt = `${at}${pointer("logo_queries", i)}`;
      const first = tags.indexOf(logo.tag);
      const other = `${at}${pointer("logo_queries", first, "tag")}`;
      const duplicate = `\`tag\` must be unique in the account; ${quote(logo.tag)} is also at \`${other}\`.`;
      return [
        ...(first < i ? [pictureProblem(`${logoAt}/tag`, duplicate)] : []),
        ...imageProblems(logo, logoAt, (image) => checkLogo(context, image)),
      ];
    }),
    ...scans.flatMap((scan, i) => {
      return imageProblems(scan, `${at}${pointer("scans", i)}`, () =>
        checkScan(context, ownSettings(context).pictures, scan),
      );
    }),
  ];
}

function imageProblems(
  { image, image_path }: { readonly image?: string | undefined; readonly image_path?: string | undefined },
  at: string,
  check: (image: string) => Result<unknown>,
): CodedDiagnostic[] {
  if (image_path !== undefined) {
    const message = "Only the command line reads `image_path`; use `image` with base64 instead.";
    return [pictureProblem(`${at}/image_path`, message)];
  }
  if (image === undefined)
    return [pictureProblem(`${at}/image`, "`image` is missing; it must be a picture in base64.")];
  const checked = check(image);
  return checked.ok ? [] : [pictureProblem(at, checked.problems[0].message)];
}

function checkLogo(context: ServiceContext, text: string): Result<unknown> {
  const limits = ownSettings(context).pictures;
  const bytes = readBase64(text, limits.maxBytes);
  return bytes.ok ? checkPicture(bytes.value, "query", limits) : bytes;
}

/** Decodes and stores the pictures; adds the problems of decoding to `problems`. */
async function prepareAccount(
  context: ServiceContext,
  { logo_queries, scans }: WorldPictures,
  at: string,
  problems: CodedDiagnostic[],
): Promise<PreparedPictures> {
  const logos: LogoSeed[] = [];
  const limits = ownSettings(context).pictures;
  for (const [i, { tag, similarity_threshold, image = "" }] of logo_queries.entries()) {
    const read = await readLogo(context.compute, image, limits);
    if (!read.ok) {
      problems.push(pictureProblem(`${at}${pointer("logo_queries", i)}`, read.problems[0].message));
    } else {
      const key = await putPicture(context.store.blobs, read.value);
      logos.push({ fields: { tag, similarity_threshold }, key, picture: read.value });
    }
  }
  const found: ScanSeed[] = [];
  for (const [i, scan] of scans.entries()) {
    const checked = checkScan(context, limits, scan);
    const read = checked.ok ? await describeScan(context.compute, checked.value, limits) : checked;
    if (!read.ok) {
      problems.push(pictureProblem(`${at}${pointer("scans", i)}`, read.problems[0].message));
    } else {
      const key = await putPicture(context.store.blobs, read.value.picture);
      found.push({ scan: read.value.scan, key, found: await findSeeds(context.compute, logos, read.value) });
    }
  }
  return { logos, scans: found };
}

/** The logos of a world in one of its pictures. */
async function findSeeds(
  compute: Compute,
  logos: readonly LogoSeed[],
  { picture }: DescribedScan,
): Promise<ScanSeed["found"]> {
  const found = [];
  const detectors = logos.map((logo) => logo.picture.detector);
  const matches = await compute.run(searchRaster, { raster: picture.raster, detectors });
  for (const [logo, { fields, picture: query }] of logos.entries()) {
    const whole = compareWhole(query.descriptor, picture.descriptor);
    const finding = bestHit(whole, matches[logo], picture.raster);
    if (finding.score >= fields.similarity_threshold) found.push({ logo, ...finding });
  }
  return found;
}

async function seedPictures(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  { logos, scans }: PreparedPictures,
): Promise<void> {
  const ids: number[] = [];
  for (const { fields, key, picture } of logos)
    ids.push((await createLogoQuery(context, tx, account, fields, key, picture)).query_id);
  const pairs: LogoPair[] = [];
  for (const { scan, key, found } of scans) {
    const facts = { ...scan, scope: account, searched_query: Math.max(0, ...ids), blob: key };
    const stored = await storeScan(tx, facts, true);
    if (!stored) continue;
    for (const { logo, ...finding } of found)
      pairs.push({ queryId: ids[logo] ?? 0, scan: stored, ...finding });
  }
  await storeLogoMatches(tx, account, pairs);
}

/** The logo queries and scanned pictures of an account. */
function listsOf(
  context: ServiceContext,
  account: string,
  { logo_queries, scans = [] }: Partial<WorldPictures>,
): readonly SeededList[] {
  const limits = ownSettings(context).pictures;
  const pictures = scans.flatMap((scan): readonly string[] => {
    const checked = checkScan(context, limits, scan);
    return checked.ok ? [scanId(checked.value)] : [];
  });
  return [
    {
      things: "logo queries",
      world: logo_queries?.map(({ tag, similarity_threshold, image = "" }) => {
        const bytes = readBase64(image, limits.maxBytes);
        return { id: tag, value: { similarity_threshold, picture: bytes.ok ? hashOf(bytes.value) : "" } };
      }),
      stored: (tx) => storedLogos(context, tx, account),
    },
    {
      things: "scanned pictures",
      world: pictures.map(scanSeed),
      stored: async (tx) => {
        const known: string[] = [];
        for (const id of pictures) if (await tx.get("brand_logo_scans", account, id)) known.push(id);
        return known.map(scanSeed);
      },
    },
  ];
}

const scanSeed = (id: string): Seed => ({ id, value: null });

async function storedLogos(
  { store }: ServiceContext,
  tx: ReadTransaction,
  account: string,
): Promise<readonly Seed[]> {
  const stored: Seed[] = [];
  for (const { tag, similarity_threshold, store_path } of await tx.find("brand_logo_queries", account)) {
    const bytes = await store.blobs.get(store_path);
    stored.push({ id: tag, value: { similarity_threshold, picture: bytes && hashOf(bytes) } });
  }
  return stored;
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
