/**
 * The schemas of brand protection, one a record: request bodies, responses, feed records and the world file derive from
 * it. test/schemas/brand.test.ts keeps their types equal to the types of the engine and the store.
 */
import * as z from "zod";
import { maxRules } from "../engine/brand/matching/match-rules.ts";
import { matchModes } from "../engine/brand/model.ts";
import { ownNameProblem } from "../engine/brand/names/own-names.ts";
import { maxEditDistance, maxPatternLength, maxPatternsPerQuery } from "../engine/brand/query.ts";
import { scanStatuses } from "../store/records/brand.ts";
import { timestamp } from "./envelope.ts";
import { formatOf, member, pictureMembers, resource, shapeOf, worldSchemaOf } from "./member.ts";
import {
  aBoolean,
  anInteger,
  anIntegerId,
  aText,
  oneOf,
  optional,
  required,
  requiredList,
  withDefault,
} from "./parameters.ts";
import { providerNames } from "./provider-names.ts";

const text = z.string().optional();
const rfc3339 = "RFC 3339; the current time by default.";

/** Every member is optional and can be null. */
function nullish<S extends z.ZodRawShape>(shape: S) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.nullish(schema)]);
  return Object.fromEntries(entries) as { readonly [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };
}

// Domain queries

/** A pattern, and the maximum edit distance of a name from it. */
export const stringMatch = z.strictObject({
  pattern: z.string().meta({
    description: `1 to ${maxPatternLength} code points.`,
    minLength: 1,
    maxLength: maxPatternLength,
  }),
  max_edit_distance: z.int().min(0).max(maxEditDistance),
});

/** In a request body the engine validates the string matches, member by member; the published schema is that of `stringMatch`. */
const uncheckedMatches = z
  .array(
    z.unknown().meta({
      description: "A pattern, and the maximum edit distance of a name from it.",
      ...formatOf(z.object(stringMatch.shape)),
    }),
  )
  .meta({ minItems: 1, maxItems: maxPatternsPerQuery });

/** RFC 3339; null for no bound. */
const bound = z.string().nullish();
const time = { answer: text, world: text, within: "parameters" } as const;

/** Domain queries. */
export const domainQueryResource = resource(
  "account",
  {
    tag: member("Name of the query.", z.string().min(1), { answer: z.string(), also: ["query_tag"] }),
    string_matches: member(
      `1 to ${maxPatternsPerQuery} patterns; a name matches if it matches any of them.`,
      uncheckedMatches,
      {
        answer: z.array(stringMatch),
        // The engine validates the range, as it does for a request.
        world: z.array(
          stringMatch.extend({ max_edit_distance: z.number().describe(`0 to ${maxEditDistance}.`) }),
        ),
        within: "parameters",
      },
    ),
    min_time: member("RFC 3339. Names that were first seen earlier do not match.", bound, time),
    max_time: member("RFC 3339. Names that were first seen later do not match.", bound, time),
    scan: member("Whether new matches are scanned; it is stored and returned only.", z.boolean(), {
      create: z.boolean().default(false),
      world: z.boolean().optional(),
      usual: false,
    }),
  },
  { answers: ["query_id", "created", "updated"] },
);

export const domainQueryCreate = z.object({
  ...shapeOf(domainQueryResource, "create"),
  search_lookback: z.boolean().default(true),
});

export const domainQueryPatch = z
  .object({ ...shapeOf(domainQueryResource, "change"), search_lookback: z.boolean() })
  .partial();

export type DomainQueryPatch = z.output<typeof domainQueryPatch>;

const count = z.int().min(0);

const { tag: query_tag, scan, ...parameters } = shapeOf(domainQueryResource, "answer");

/** A domain query as it is stored and returned. */
export const domainQuery = z
  .strictObject({
    created: timestamp,
    updated: timestamp,
    query_id: count,
    query_tag,
    scan,
    parameters: z.strictObject(parameters),
  })
  .meta({ id: "DomainQuery" });

const worldDomainQuery = worldSchemaOf(domainQueryResource).describe(
  "A domain query. Queries are numbered from 1 in this order.",
);

// Observed names

/** A record of a feed: a name with its times and registrar. */
export const domainFacts = z.object({
  registrar: z.string(),
  source: z.string().describe("Name of the feed; any string."),
  public_scans: z.object({ submission_id: z.string() }),
  scan_status: z.enum(scanStatuses),
  scan_submission_id: z.int(),
});

/** A record of a feed of names. Null members count as missing, unknown ones are ignored. */
export const observedDomain = z.object({
  domain: z.string(),
  ...nullish({ first_seen: z.string().describe(rfc3339), ...domainFacts.shape }),
});

const worldObservedDomain = z
  .strictObject({
    domain: observedDomain.shape.domain,
    first_seen: text.describe(rfc3339),
    ...domainFacts.partial().shape,
  })
  .extend({ public_scans: z.strictObject(domainFacts.shape.public_scans.shape).optional() });

// Domain matches

const detail = z.strictObject({
  dismissed: z.boolean(),
  match_id: count,
  query_id: count,
  query_tag: z.string(),
});

/** Null: an unknown value in profile `provider` (`observed`). */
const domainMatch = z
  .strictObject({
    domain: z.string(),
    domain_id: count.optional(),
    first_seen: timestamp,
    public_scans: z.strictObject(domainFacts.shape.public_scans.shape).nullable(),
    registrar: z.string().nullable(),
    scan_status: domainFacts.shape.scan_status,
    scan_submission_id: count.nullable(),
    source: z.string().nullable(),
    dismissed: z.boolean().optional().meta({ description: "In a list of one query." }),
    match_details: z.array(detail).optional().meta({ description: "In a list of several queries." }),
  })
  .meta({ id: "DomainMatch" });

export const domainMatches = z.strictObject({ matches: z.array(domainMatch), total: count });

// Logo queries

const threshold = z.number().min(0).max(1);

/** Logo queries. */
export const logoQueryResource = resource(
  "account",
  {
    tag: member("Name of the query; unique in the account.", z.string().min(1), {
      change: "none",
      answer: z.string(),
    }),
    similarity_threshold: member("Minimum score of a match.", threshold, { change: "none" }),
    ...pictureMembers,
    image: { ...pictureMembers.image, also: ["image_data"] },
  },
  { answers: ["id", "store_path", providerNames.store_path, "uploaded_at", "content_type"] },
);

export const logoQueryCreate = z.object({
  ...shapeOf(logoQueryResource, "create"),
  image_data: z.string(),
  search_lookback: z.boolean().default(true),
});

/** The picture of a query or a match, when it is downloaded. */
const download = { content_type: text, image_data: z.base64().optional() };

export const logoQuery = z
  .strictObject({
    id: count,
    store_path: z.string(),
    ...shapeOf(logoQueryResource, "answer"),
    uploaded_at: timestamp,
    ...download,
  })
  .meta({ id: "LogoQuery" });

const worldLogoQuery = worldSchemaOf(logoQueryResource).describe(
  "A logo query. Queries are numbered from 1 in this order. PNG or JPEG.",
);

// Scanned pictures

const scanMembers = {
  domain: z.string(),
  registrar: z.string(),
  url_scan_id: z.string(),
  matched_at: z.string().describe(rfc3339),
};

/** A record of a feed of pictures; the bytes of `image` are validated separately. Null members count as missing. */
export const scannedPicture = z.object({ ...nullish(scanMembers), image: z.unknown() });

const { image, image_path } = shapeOf(logoQueryResource, "world");

const worldScan = z
  .strictObject(scanMembers)
  .partial()
  .extend({ image, image_path })
  .describe("A scanned picture. PNG, JPEG, WebP, GIF or AVIF.");

// Logo matches

const logoMatch = z
  .strictObject({
    id: count,
    domain: z.string().nullable(),
    matched_at: timestamp,
    query_id: count,
    registrar: z.string().nullable(),
    similarity_score: threshold,
    url_scan_id: z.string().nullable(),
    ...download,
  })
  .meta({ id: "LogoMatch" });

export const logoMatches = z.strictObject({ matches: z.array(logoMatch), total: count });

// Observations

/** The counts of observed names or pictures. */
export const ingestReport = z
  .strictObject({
    new: count.describe("Not stored before."),
    duplicate: count.describe("Stored before, or earlier in the same input."),
    rejected: count.describe("Not valid; nothing of them is stored."),
    matches: count.describe("New matches with the queries of the account."),
    problems: z
      .array(
        z.strictObject({
          line: count.describe("Number of the line or picture, from 1."),
          message: z.string().describe("The reason."),
        }),
      )
      .describe("The first 100 that were rejected."),
  })
  .meta({ id: "ObservationReport" });

/** The parts of a form of observed pictures. */
export const observedPictures = z.object({
  facts: z
    .array(z.string())
    .optional()
    .describe(
      "JSON objects, each directly before the picture it describes: `domain`, `registrar`, `url_scan_id`, `matched_at`.",
    ),
  picture: z.array(z.string().meta({ format: "binary" })).describe("PNG, JPEG, WebP, GIF or AVIF files."),
});

// Responses of writes

export const done = z.strictObject({ message: z.string(), success: z.literal(true) });
export const doneWithId = done.extend({ query_id: count });

// Query parameters

/** The id of one query in a list, a string to clients (`observed`). */
const queryId = optional(anIntegerId);
const withPictures = withDefault(aBoolean, false);

export const queryListParameters = { id: queryId };
export const logoListParameters = { id: queryId, download: withPictures };

/** A larger limit counts as the maximum; the sizes are `chosen`. */
const slice = {
  limit: withDefault(anInteger({ min: 1, cap: 1_000 }), 50),
  offset: withDefault(anInteger({ min: 0 }), 0),
  order: optional(oneOf("asc", "desc")),
};

export const domainMatchParameters = {
  query_id: requiredList(anIntegerId),
  domain_search: optional(aText("a string", { mayBeEmpty: true })),
  include_dismissed: withDefault(aBoolean, false),
  include_domain_id: withDefault(aBoolean, false),
  ...slice,
  orderBy: withDefault(oneOf("domain", "first_seen", "registrar"), "first_seen"),
};

export const logoMatchParameters = {
  query_id: required(anIntegerId),
  download: withPictures,
  ...slice,
  orderBy: withDefault(oneOf("matchedAt", "domain", "similarityScore", "registrar"), "matchedAt"),
};

// World file

const matchRule = z.strictObject({
  mode: z.enum(matchModes).describe("The part of a name that is compared."),
  maxEdits: z
    .int()
    .min(0)
    .max(maxEditDistance)
    .optional()
    .describe("Maximum edits for all patterns; by default each pattern's own `max_edit_distance`."),
  minLength: z.int().min(0).optional().describe("Shorter patterns are not searched by this rule."),
  onlyWithEmbeddedSuffix: z
    .boolean()
    .optional()
    .describe("Only names with a public suffix inside, such as `paypal-co-jp.com`."),
  separators: z
    .boolean()
    .optional()
    .describe("Also compares without `-` and `.`; by default as the option of all rules."),
});

/** A domain of one's own. */
const ownDomain = z.string().superRefine((domain, { addIssue }) => {
  const message = ownNameProblem(domain);
  if (message !== undefined) addIssue({ code: "custom", message });
});

/** How names are compared. */
export const matchOptions = z.strictObject({
  mode: z
    .union([z.enum([...matchModes, "recommended"]), z.array(matchRule).min(1).max(maxRules)])
    .optional()
    .describe(
      "A pattern is searched anywhere in a name (`contains`, the default), is a whole label (`label`) or a whole part between `.` and `-` (`token`); or a list of rules of which any may find it; or the `recommended` rules.",
    ),
  transpositions: z.boolean().optional().describe("Counts a swap of two neighbors as one edit."),
  confusables: z
    .boolean()
    .optional()
    .describe("Also compares the skeletons of Unicode's UTS #39. Default with `recommended`: true."),
  separators: z.boolean().optional().describe("Also compares without `-` and `.`."),
  own: z
    .array(ownDomain)
    .optional()
    .describe("Domains of one's own, such as `paypal.com`: they and their subdomains are never matches."),
});

/** An account's brand protection in a world file. */
export const accountBrandWorld = matchOptions
  .extend({
    queries: z.array(worldDomainQuery).optional(),
    observed: z
      .array(z.union([z.string(), worldObservedDomain]))
      .optional()
      .describe("Observed names, alone or with facts."),
    logo_queries: z.array(worldLogoQuery).optional(),
    scans: z.array(worldScan).optional().describe("Scanned pictures."),
  })
  .describe("Brand protection of an account.");

export type AccountBrandWorld = z.output<typeof accountBrandWorld>;
