/** The common form of a recorded request, whatever file it comes from. Its tokens are live secrets: they are never printed. */

import type { SimulatedRequest } from "../../engine/tokens/model.ts";

/** A header or a cookie, by its lower-case header name or its exact cookie name; `query` is the query of the URL. */
export interface RecordedField {
  /** Part of the request. */
  readonly kind: "header" | "cookie" | "query";
  /** Name of the header in lower case, or of the cookie; empty for the query. */
  readonly name: string;
  /** Position among the values with this name, from 0. */
  readonly index: number;
}

/**
 * The meaning of a field that a recorded request does not have: the request had none (`absent`), the recorder left it
 * out (`stripped`), or it is absent if any other request of the file has it, and stripped otherwise (`unsure`).
 */
export type Silence = "absent" | "stripped" | "unsure";

/** The parts that a recorder writes. */
export interface Recording {
  /** Meaning of a missing header. */
  readonly headers: Silence;
  /** Meaning of a missing cookie. */
  readonly cookies: Silence;
  /** Meaning of a missing query. */
  readonly query: Silence;
  /** Meaning of certain missing headers, by lower-case name. */
  readonly exceptions?: ReadonlyMap<string, Silence>;
  /** Whether only the first of several values with one name is written down. */
  readonly onlyFirst?: boolean;
}

/** A recorder that writes everything down. */
export const completeRecording: Recording = { headers: "absent", cookies: "absent", query: "absent" };

/**
 * The meaning of a field that is not in the recorded request.
 *
 * @example
 * ```ts
 * const recording = { headers: "absent", cookies: "stripped", query: "absent" } as const;
 * silenceOf(recording, { kind: "cookie", name: "session", index: 0 }); // => "stripped"
 * ```
 */
export function silenceOf(recording: Recording, { kind, name, index }: RecordedField): Silence {
  if (kind === "query") return recording.query;
  if (index > 0 && recording.onlyFirst === true) return "stripped";
  if (kind === "cookie") return recording.cookies;
  return recording.exceptions?.get(name) ?? recording.headers;
}

/** The outcome of a request at the edge, as far as the recording has it. */
export interface EdgeAnswer {
  /**
   * The action of token validation. Absent when the recording does not have it, or when another product of the edge
   * ended the request.
   */
  readonly action?: "allow" | "log" | "block" | undefined;
  /** The rule of the action; absent for `allow`. */
  readonly ruleId?: string | undefined;
  /** The operation that the edge found. */
  readonly operationId?: string | undefined;
  /** Whether another product of the edge ended the request, so that token validation may not have run. */
  readonly endedByOther: boolean;
  /** The outcome of custom rules; absent when they have no event, which is `allow`. */
  readonly custom?: CustomAnswer;
  /** The event that ended the request, when the recording does not say which product did. */
  readonly endedBy?: {
    /** The action. */
    readonly action: "block" | "challenge";
    /** The rule. */
    readonly ruleId: string;
  };
}

/** The outcome of custom rules at the edge. */
export interface CustomAnswer {
  /** The action; absent when it is not one that is known. */
  readonly action?: "allow" | "log" | "block" | "challenge";
  /** The rule of the action; absent for `allow`. */
  readonly ruleId?: string;
}

/** A recorded request. */
export interface RecordedRequest {
  /** Names the request in reports: its ray id, or its position. */
  readonly name: string;
  /** Line in the file, from 1; for HAR the position of the entry, from 1. */
  readonly position: number;
  /** Line of an entry of an archive, from 1. */
  readonly line?: number | undefined;
  /** As recorded. */
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  /** Pairs of name and value, in order. */
  readonly headers: readonly (readonly [string, string])[];
  /** The time at which it arrived, in milliseconds since 1970; absent when the recording has no times. */
  readonly nowMs?: number | undefined;
  /** Meaning of the fields that it does not have. */
  readonly recording: Recording;
  /** The other values that custom rules read, as far as the recording has it. */
  readonly given?: Pick<SimulatedRequest, "ip" | "body" | "fields" | "challengePassed"> | undefined;
  /** Name of the zone, when the recording has it. */
  readonly zoneName?: string | undefined;
  /** Its outcome at the edge, when the recording has it. */
  readonly edge?: EdgeAnswer | undefined;
}

/** A part of a file that is not a request; the reason has no values of the file, which may be secrets. */
export interface RejectedRecord {
  /** Line in the file, from 1; for HAR the position of the entry, from 1. */
  readonly position: number;
  /** Line of an entry of an archive, from 1. */
  readonly line?: number | undefined;
  /** A clause such as "`ClientRequestMethod` is missing". */
  readonly reason: string;
}

/** Receives what a reader finds, in the order of the file. */
export interface TrafficSink {
  /** A request. */
  request(request: RecordedRequest): void;
  /** Something that should be a request and cannot be read. */
  rejected(record: RejectedRecord): void;
  /** A request that never reached the edge, with the reason in a few words. */
  skipped(reason: string): void;
  /** A remark on the request that follows, such as a value that the recorder may have changed. */
  noted?(remark: string): void;
}

/** Why a part of a file is not a request: a clause without values of the file. */
export class RecordFault {
  /** The clause. */
  readonly reason: string;

  /** @throws never */
  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The type of a value in words, without the value. */
export function typeInWords(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
