/** The schemas that responses share (`spec`): messages, envelopes and the failure body. */
import * as z from "zod";
import { anInteger, withDefault } from "./parameters.ts";

/** Any JSON value. */
export const anyJson = z.unknown();

export const timestamp = z.string().meta({ description: "ISO 8601, UTC.", format: "date-time" });

const source = z.strictObject({
  pointer: z.string().meta({ description: "RFC 6901 pointer into the request's body." }).optional(),
});

export const message = z
  .strictObject({
    code: z.int(),
    message: z.string(),
    source: source.optional(),
    error_chain: z.array(z.strictObject({ code: z.int(), message: z.string() })).optional(),
  })
  .meta({ id: "Message" });

export const resultInfo = z
  .strictObject({
    page: z.int(),
    per_page: z.int(),
    count: z.int().meta({ description: "Elements on this page." }),
    total_count: z.int(),
    total_pages: z.int(),
  })
  .meta({ id: "ResultInfo" });

/** The body of every error response. */
export const failureSchema = z
  .strictObject({
    errors: z.array(message).min(1),
    messages: z.array(message).max(0),
    success: z.literal(false),
    result: z.null(),
  })
  .meta({ id: "Failure" });

/** A successful response: JSON of a schema, or bytes of one of several content types, which can have JSON instead of them. */
export type ResponseSchema =
  | { readonly json: z.ZodType; readonly contentTypes?: undefined }
  | {
      readonly json?: undefined;
      readonly contentTypes: readonly string[];
      readonly instead?: z.ZodType;
    };

const around = { success: z.literal(true), errors: z.array(message).max(0), messages: z.array(message) };

/** A result in the envelope. */
export function enveloped(result: z.ZodType): ResponseSchema {
  return { json: z.strictObject({ result, ...around }) };
}

/** A list in the envelope, with its page. */
export function paged(result: z.ZodType): ResponseSchema {
  return { json: z.strictObject({ result, ...around, result_info: resultInfo }) };
}

/** A list in the envelope, with the cursor of the next page: at both places where client libraries read it (`observed`). */
export function cursorPaged(result: z.ZodType): ResponseSchema {
  const cursors = z.strictObject({ after: z.string().optional() });
  return {
    json: z.strictObject({
      result,
      ...around,
      result_info: z.strictObject({ cursor: z.string().optional(), cursors }),
    }),
  };
}

/** A list in the envelope; with its page only when the request names one. */
export function pagedOnDemand(result: z.ZodType): ResponseSchema {
  return { json: z.strictObject({ result, ...around, result_info: resultInfo.optional() }) };
}

/** A body without an envelope. */
export function bare(json: z.ZodType): ResponseSchema {
  return { json };
}

/** Bytes of one of the content types. */
export function bytes(...contentTypes: readonly string[]): ResponseSchema {
  return { contentTypes };
}

/** No body: the status is 204. */
export const noContent: ResponseSchema = { contentTypes: [] };

/** Bytes of one of the content types, or JSON where a request asks for it. */
export function bytesOrJson(instead: z.ZodType, contentTypes: readonly string[]): ResponseSchema {
  return { contentTypes, instead };
}

/** The members of an envelope besides its result. */
export const envelopeMembers = around;

/** Page sizes of lists whose `per_page` may be larger and counts as the maximum (`observed`, those of tokens and zones). */
export const pageSizes = {
  tokens: { default: 20, max: 50 },
  proxy: { default: 20, max: 100 },
} as const;

/** `page` and `per_page`; a larger size counts as the maximum. */
export function pageQueryOf({ default: usual, max }: { readonly default: number; readonly max: number }) {
  return {
    page: withDefault(anInteger({ min: 1 }), 1),
    per_page: withDefault(anInteger({ min: 1, cap: max }), usual),
  };
}

/** That of lists of tokens and zones. */
export const pageQuery = pageQueryOf(pageSizes.tokens);
