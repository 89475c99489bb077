/** The administrative interface of `serve`: state, clock and faults for tests in other languages (`chosen`). */
import * as z from "zod";
import {
  ApiError,
  type Code,
  type CodedDiagnostic,
  catalogue,
  InvalidInputError,
  problem,
  quote,
  quoteText,
} from "../../errors.ts";
import { type Endpoint, methodsOf } from "../../http/endpoints/endpoint.ts";
import type { FetchHandler } from "../../http/handler.ts";
import { assertBodyEncoding } from "../../http/requests/content-type.ts";
import { readJson } from "../../http/requests/json-body.ts";
import { envelope, failure, internalFailure } from "../../http/responses/envelope.ts";
import type { Notes } from "../../service/context.ts";
import { decode } from "../../service/decode.ts";
import type { FaultRule } from "../../service/faults.ts";
import { defaultLimits } from "../../service/limits.ts";
import { formatTimestamp, parseTimestamp } from "../../service/time.ts";
import type { World } from "../../service/world/schema.ts";
import type { ReplaceableEdge } from "./replaceable-edge.ts";
import { type SettableClock, timeRange } from "./settable-clock.ts";

/** The parts of a server that can be administered. */
export interface Administered extends ReplaceableEdge {
  readonly clock: SettableClock;
  /** Why the data cannot be reset; undefined when they can. */
  readonly keepsData: string | undefined;
  /** Called with each unexpected error. */
  onError(error: unknown): void;
}

/** Maximum size of a body, in bytes: a world can have pictures. `chosen` */
const maxBytes = 64 * 2 ** 20;

interface AdminCall {
  /** Reads the JSON body. @throws {ApiError} */
  json(): Promise<unknown>;
}

type Handle = (call: AdminCall, server: Administered) => unknown;

const timeBody = z.strictObject({ now: z.string().optional(), advanceMs: z.int().optional() });

const readClock = ({ clock }: Administered) => ({ now: formatTimestamp(clock.now()) });

/** The rows of the interface: path, method, and the result of the envelope. */
const routes: Readonly<Record<string, Readonly<Record<string, Handle>>>> = {
  "/-/reset": {
    POST: async (_call, server) => {
      if (server.keepsData !== undefined) throw new ApiError(problem(10400, server.keepsData));
      const revert = server.clock.reset();
      await server.reset().catch((error: unknown) => {
        revert();
        throw error;
      });
      return readClock(server);
    },
  },
  "/-/seed": {
    POST: async ({ json }, { edge }) => ({ notes: await edge.seed((await json()) as World) }),
  },
  "/-/clock": {
    GET: (_call, server) => readClock(server),
    POST: async ({ json }, server) => {
      const membersAt = () => Object.keys(timeBody.shape);
      setClock(decode(timeBody, await json(), { area: "shared", membersAt }), server.clock);
      return readClock(server);
    },
  },
  "/-/faults": {
    GET: (_call, { edge }) => edge.faults.rules(),
    PUT: async ({ json }, { edge }) => {
      edge.faults.replace((await json()) as readonly FaultRule[]);
      return edge.faults.rules();
    },
    DELETE: (_call, { edge }) => {
      edge.faults.replace([]);
      return edge.faults.rules();
    },
  },
};

/** @throws {ApiError} for a time that is not a timestamp, or out of range */
function setClock({ now, advanceMs }: z.output<typeof timeBody>, clock: SettableClock): void {
  if ((now === undefined) === (advanceMs === undefined))
    throw new ApiError(
      problem(
        10400,
        `The body must have exactly one of \`now\` and \`advanceMs\`; it has ${now === undefined ? "none of them" : "both"}.`,
      ),
    );
  const ms = now === undefined ? clock.now() + (advanceMs ?? 0) : parseTimestamp(now);
  const name = now === undefined ? "advanceMs" : "now";
  if (ms !== undefined && clock.set(ms)) return;
  const range = `${formatTimestamp(timeRange.min)} to ${formatTimestamp(timeRange.max)}`;
  const message = `\`${name}\` must lead to a time from ${range}, in RFC 3339; found ${now === undefined ? quote(advanceMs) : quoteText(now)}.`;
  throw new ApiError(problem(10400, message, `/${name}`));
}

/** Creates the fetch handler. */
export function createAdminHandler(server: Administered): FetchHandler {
  const respond = async (request: Request): Promise<Response> => {
    try {
      return await answer(request, server);
    } catch (error) {
      if (error instanceof ApiError) return rejection(error.problems);
      if (error instanceof InvalidInputError && error.problems.length > 0) return rejection(error.problems);
      server.onError(error);
      return Response.json(internalFailure, { status: 500 });
    }
  };
  return Object.assign(respond, {
    reject: (message: string, status = 400, code: Code = 10400) =>
      Response.json(failure([problem(code, message)]), { status }),
  });
}

function rejection(problems: readonly CodedDiagnostic[]): Response {
  const status = catalogue[problems[0]?.code ?? 10400].status;
  return Response.json(failure(problems), { status });
}

async function answer(request: Request, server: Administered): Promise<Response> {
  rejectPages(request);
  const { pathname } = new URL(request.url);
  const methods = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
  if (!methods) {
    const message = `There is no ${quote(pathname)}; there are ${Object.keys(routes).map(quote).join(", ")}.`;
    throw new ApiError(problem(7003, message));
  }
  const method = request.method === "HEAD" ? "GET" : request.method;
  const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!handle) {
    const allow = Object.keys(methods)
      .flatMap((name) => methodsOf({ method: name as Endpoint["method"] }))
      .join(", ");
    const message = `The method ${quote(request.method)} is not allowed here; allowed are ${allow}.`;
    return Response.json(failure([problem(10405, message)]), { status: 405, headers: { allow } });
  }
  assertBodyEncoding(request);
  const notes: Notes = [];
  const json = () => readJson(request, defaultLimits, notes, maxBytes);
  return Response.json(envelope(await handle({ json }, server), notes));
}

/**
 * Pages of other sites can send requests to this machine, some without a preflight; browsers name the page of each that
 * changes something.
 *
 * @throws {ApiError} 9109
 */
function rejectPages({ headers }: Request): void {
  const site = headers.get("sec-fetch-site");
  if (!headers.has("origin") && (site === null || site === "none")) return;
  throw new ApiError(problem(9109, "Pages in a browser may not use the administrative interface."));
}
