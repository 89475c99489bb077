/** The schema of an options file: every option of `createEdge` that is data. */
import * as z from "zod";
import { profiles } from "../../../core/profiles.ts";
import type { EdgeOptions } from "../../../edge.ts";
import { isBase, isOrigin } from "../../../http/server/addresses.ts";
import { matchOptions } from "../../../schemas/brand.ts";
import { faultRulesSchema } from "../../../service/faults/fault-rules.ts";
import { defaultLimits, type Limits, limitRange } from "../../../service/limits.ts";
import { settingChoices, settingsAccesses } from "../../../service/settings.ts";
import { apiToken } from "../../../service/world/schema.ts";

/** Options of `createEdge` that no JSON file can hold, with the reason that a message gives. */
export const otherOptions = {
  clock: "is a function",
  fetchImage: "is a function; use --fetch-urls or --fetch-private",
  imageSource: "is a function; use --fetch-urls or --fetch-private",
  ids: "has functions",
  onAnswer: "is a function",
  onError: "is a function",
  onNote: "is a function",
  onLeftOut: "is a function",
  onVerdict: "is a function; use --log-verdicts",
  proxy: "has functions",
  store: "is an object with functions; use --data",
  world: "has a file of its own; use --world",
} as const satisfies { readonly [Name in keyof EdgeOptions]?: string };

type DataOption = Exclude<keyof EdgeOptions, keyof typeof otherOptions>;

const seconds = z.number().min(0);
const origin = z
  .string()
  .refine(isBase, "an origin such as `https://images.example.com`, without query and fragment");

const limits = Object.fromEntries(
  Object.entries(defaultLimits).map(([name, value]) => {
    const { min, max } = limitRange(name);
    return [name, z.int().min(min).max(max).optional().describe(`Default ${value}.`)];
  }),
) as Record<keyof Limits, z.ZodOptional<z.ZodInt>>;

const members = {
  profile: z
    .enum(Object.keys(profiles) as [keyof typeof profiles])
    .describe(
      "Defaults of all settings: those of the specification (`spec`, the default) or of the real service.",
    ),
  wireNames: z
    .enum(settingChoices.wireNames)
    .describe(
      "The specification's neutral names, or the provider's own names, in paths, members and headers.",
    ),
  restrictions: z
    .enum(settingChoices.restrictions)
    .describe("Restrictions that the specification does not state: reported in `messages`, or enforced."),
  invalidKeys: z
    .enum(settingChoices.invalidKeys)
    .describe("Keys that do not match exactly one key format: rejected, or adjusted with a note."),
  sharedSecrets: z
    .enum(settingChoices.sharedSecrets)
    .describe("Shared secrets (HS256 to HS512) as keys: rejected, or accepted."),
  precedence: z
    .enum(settingChoices.precedence)
    .describe("Several rules that match one operation: all are evaluated, or the first enabled one decides."),
  ruleAuthors: z
    .enum(settingChoices.ruleAuthors)
    .describe("The name of the API token that changed a rule last, `modified_by`."),
  clockToleranceSeconds: seconds.describe("Tolerance for `exp` and `nbf`."),
  configsPerZone: z.int().min(0).describe("Maximum number of token configurations in a zone."),
  headerCase: z.enum(settingChoices.headerCase).describe("Header names in token sources."),
  urlNormalization: z
    .enum(settingChoices.urlNormalization)
    .describe("Paths of URLs in a zone without a setting of its own: as sent, or normalized."),
  shortPatterns: z
    .enum(settingChoices.shortPatterns)
    .describe("Patterns of fewer than 5 code points: any edit distance from 0 to 3, or 0 only."),
  customImageIds: z
    .enum(settingChoices.customImageIds)
    .describe("Custom image ids: may be UUIDs and may require signatures, or neither."),
  publicVariant: z
    .enum(settingChoices.publicVariant)
    .describe("The variant `public` of every account: can be deleted, or is kept."),
  variantSides: z
    .enum(settingChoices.variantSides)
    .describe("Options of a variant: all that are required, or one side, and defaults of the others."),
  heic: z
    .enum(settingChoices.heic)
    .describe(
      "HEIC uploads, whose header alone is read and which have no renditions: rejected, or accepted.",
    ),
  uploadExpirySeconds: z
    .strictObject({ min: seconds, max: seconds.default(Number.POSITIVE_INFINITY) })
    .describe("Time until a direct upload expires; without `max` there is no maximum."),
  absentValues: z
    .enum(settingChoices.absentValues)
    .describe("Values that the feed left out: empty values of the specification's type, or null."),
  authFailureStatus: z
    .literal(settingChoices.authFailureStatus)
    .describe("Status of responses to missing or malformed credentials."),
  envelopes: z
    .enum(settingChoices.envelopes)
    .describe("`everywhere` for the provider's client library from version 7.2 on."),
  appsPaging: z
    .enum(settingChoices.appsPaging)
    .describe("Pages of a list of proxy applications: when the request names a page, or always."),
  proxyErrors: z
    .enum(settingChoices.proxyErrors)
    .describe("Errors of a proxy application: the first, or all of the phase that found one."),
  verifier: z.enum(settingChoices.verifier).describe("Library that verifies signatures."),
  brand: matchOptions.describe(
    "Comparison of domain names with patterns; an account of the world may differ.",
  ),
  limits: z.strictObject(limits).describe("Maximum sizes and counts that differ from the defaults."),
  accountSettings: z
    .enum(settingsAccesses)
    .describe(
      "What becomes of the settings stored with accounts: given options update them, or they are only read.",
    ),
  credentials: z
    .array(apiToken)
    .describe("API tokens in addition to those of the world file, whose list they count as part of."),
  anyToken: z
    .boolean()
    .describe("Whether a store whose API tokens were all removed accepts every token again."),
  prune: z
    .boolean()
    .describe("Whether the resources of zones and accounts that do not exist any more are deleted."),
  basePath: z.string().describe("Path of the interface. Default `/client/v4`."),
  publicBaseUrl: origin.describe("Origin of the addresses in responses. Default: the origin of the request."),
  deliveryBaseUrl: origin.describe("Origin that delivers images at its root."),
  zoneHosts: z
    .record(z.string(), z.string())
    .describe("Ids or names of zones by host names that count as theirs in `/cdn-cgi/image/`."),
  ingest: z
    .boolean()
    .describe("Whether observed names and pictures are accepted at `accounts/{id}/edgeproof/observations`."),
  faults: faultRulesSchema.describe(
    "Faults of answers and dependencies, in the order in which they are looked at.",
  ),
  requestFaults: z
    .boolean()
    .describe("Whether a request can ask for a fault of its own answer by the header `Prefer`."),
  lookbackCheckMs: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .describe(
      "Interval in which the store is looked through for lookbacks that another process has left, in milliseconds; 0: never. Default 15000 with `--data`.",
    ),
  threads: z
    .int()
    .min(0)
    .max(64)
    .describe(
      "Maximum number of worker threads for logos and lookbacks; 0: none. Default: by the processors.",
    ),
  cors: z
    .union([
      z.literal("*"),
      z.literal(false),
      z.array(z.string().refine(isOrigin, "an origin such as `https://app.example.com`")),
    ])
    .describe("Origins whose pages may use upload and delivery addresses: every one (`*`), none, or a list."),
} as const satisfies { readonly [Name in DataOption]: z.ZodType };

/** An options file. */
export const edgeOptionsSchema = z
  .strictObject({ $schema: z.string(), ...members })
  .partial()
  .describe("Options of `npx edgeproof serve`: every option of `createEdge` that is data.");

/** The members that an object of the file can have, by its pointer. */
export const optionNames: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(edgeOptionsSchema.shape),
  "/limits": Object.keys(limits),
  "/brand": Object.keys(matchOptions.shape),
  "/uploadExpirySeconds": Object.keys(members.uploadExpirySeconds.shape),
};

/** The JSON Schema (draft 2020-12) of an options file. */
export function optionsJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(edgeOptionsSchema, { io: "input" });
  return { $schema, title: "edgeproof options", ...schema };
}
