/**
 * The record of a verdict for a log: the request without its secrets, the decoded tokens without their signatures, and
 * the verdict. It never has a raw token, a cookie, a key or a body; claims are personal data.
 */

import { decodePercents } from "../../core/text/percent-decoding.ts";
import { isSecretName, mask } from "../../core/text/secrets.ts";
import type { Operation } from "../../engine/tokens/model.ts";
import type { LeafTrace, TracedExpression, TraceNode } from "../../engine/tokens/verdict/trace-tree.ts";
import type { PlainVerdict } from "../../engine/tokens/verdict/verdict.ts";
import type { EvaluationRequest } from "../../engine/tokens/zone/request.ts";
import type { Evaluated } from "../../service/context.ts";
import { formatTimestamp } from "../../service/time.ts";
import { maskTarget } from "../server/request-log.ts";
import { decodedTokens, type RecordedToken } from "./decoded-token.ts";

/** A verdict on a request, with everything that explains it and without secrets. */
export interface VerdictRecord {
  /** The time of the evaluation, RFC 3339. */
  readonly time: string;
  /** Id of the zone. */
  readonly zone: string;
  /** Method of the request. */
  readonly method: string;
  /** Address of the request; signatures, tokens, keys and upload addresses are replaced by `***`. */
  readonly url: string;
  /** The names of its headers, in lower case and in their order, each once. */
  readonly headers: readonly string[];
  /** The tokens that the evaluation found. */
  readonly tokens: readonly RecordedToken[];
  /** The verdict with its trace. */
  readonly verdict: PlainVerdict;
}

/** Shorter tokens are not searched for in the rest of a record: they would replace parts of words. */
const minTokenLength = 6;

/** A compact JWS or JWE, or the start of one: the encoding of `{"` or `{ "`, and another part. */
const compactToken = /(?<![A-Za-z0-9_-])ey[AJ][A-Za-z0-9_-]*\.[A-Za-z0-9_.-]*/g;

/** Maximum depth of a record, which trees of expressions keep; deeper values are masked, so that a token cannot exhaust the stack. */
const maxDepth = 320;

/** Members with whole keys: they are not needed to explain a verdict. */
const keyMembers = new Set(["jwk", "jwks", "x5c"]);

type MaskText = (text: string) => string;

/** Creates the record of a verdict. */
export function verdictRecord({ zone, request, verdict, found, timeMs }: Evaluated): VerdictRecord {
  const raw = found.map(({ token }) => token).filter((token) => token.length >= minTokenLength);
  const maskText = (text: string) =>
    raw.reduce((left, token) => left.replaceAll(token, mask), text).replace(compactToken, mask);
  const { operation, trace, custom, ...plain } = verdict.toJSON();
  return {
    time: formatTimestamp(timeMs),
    zone,
    method: maskText(request.method.toUpperCase()),
    url: maskUrl(request.url, maskText),
    headers: headerNames(request.headers).map(maskText),
    tokens: maskValue(decodedTokens(found), maskText),
    verdict: maskValue(
      {
        ...plain,
        ...(operation && { operation: maskOperation(operation) }),
        trace: { ...trace, expressions: trace.expressions.map(withoutFound) },
        ...(custom && { custom: { ...custom, expressions: custom.expressions.map(withoutFound) } }),
      },
      maskText,
    ),
  };
}

/** Without what the expressions compared: headers, cookies and bodies may have secrets. */
function withoutFound<T extends TracedExpression>(expression: T): T {
  const ofNode = (node: TraceNode): TraceNode =>
    "operator" in node ? { ...node, operands: node.operands.map(ofNode) } : ofLeaf(node);
  const ofLeaf = <L extends LeafTrace>({ found: _, ...leaf }: L) => leaf;
  return { ...expression, decidedBy: expression.decidedBy.map(ofLeaf), tree: ofNode(expression.tree) };
}

/** Without a list of operations, the path of a request is that of its operation. */
function maskOperation(operation: Operation): Operation {
  const { operation_id, endpoint } = operation;
  return { ...operation, operation_id: maskTarget(operation_id), endpoint: maskTarget(endpoint) };
}

/** The address as it is parsed, without user and fragment. */
function maskUrl(url: string, maskText: MaskText): string {
  const parsed = new URL(url);
  parsed.hash = "";
  parsed.username = "";
  parsed.password = "";
  const parts = maskTarget(parsed.href).split(/([/?&=;,])/);
  return parts.map((part, i) => maskPart(part, parts.slice(Math.max(0, i - 2), i), maskText)).join("");
}

/** A part between the delimiters of an address, whose encoding must not hide a secret. */
function maskPart(part: string, [name = "", delimiter]: readonly string[], maskText: MaskText): string {
  if (delimiter === "=" && isSecretName(name)) return mask;
  const decoded = decodePercents(part) ?? part;
  return maskText(decoded) === decoded ? part : mask;
}

function headerNames(headers: EvaluationRequest["headers"]): string[] {
  if (headers instanceof Headers) return [...headers.keys()];
  const names = Array.isArray(headers) ? headers.map(([name]) => String(name)) : Object.keys(headers ?? {});
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** A value with every string masked, and without whole keys. */
function maskValue<T>(value: T, maskText: MaskText): T {
  return masked(value, maskText, 0) as T;
}

function masked(value: unknown, maskText: MaskText, depth: number): unknown {
  if (typeof value === "string") return maskText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) return mask;
  if (Array.isArray(value)) return value.map((item) => masked(item, maskText, depth + 1));
  const members = Object.entries(value).map(([name, member]) => [
    maskText(name),
    keyMembers.has(name) ? mask : masked(member, maskText, depth + 1),
  ]);
  return Object.fromEntries(members);
}
