/** Faults that are injected on demand: their rules, and what the simulator needs of them. */

/** Where a fault happens. */
export const faultPoints = ["answer", "store", "dns", "addresses"] as const;

/** One of {@link faultPoints}. */
export type FaultPoint = (typeof faultPoints)[number];

/** Statuses of answers that are injected: those which the service sends without a mistake of the client. */
export const faultStatuses = [429, 500, 503] as const;

/** The effects of a fault on the answer to a request; at least one of status, delay and cut. */
export interface FaultEffects {
  /** Status of the answer: 429 with code 971, 500 or 503 with code 10002. */
  readonly status?: (typeof faultStatuses)[number];
  /** `Retry-After` of the answer, in seconds from 0 to 86,400. Default: 1 with status 429, none with another one. */
  readonly retryAfter?: number;
  /** Time that the answer is late, in milliseconds from 0 to 60,000. */
  readonly delayMs?: number;
  /**
   * Number of bytes of the body after which the answer ends with the connection; the last byte is never sent. 0: there is
   * no answer at all.
   */
  readonly cut?: number;
  /** Whether the service processes the request first, so that only its answer is lost, late or another one. Default false. */
  readonly after?: boolean;
}

/** A fault, and when it happens. */
export interface FaultRule extends FaultEffects {
  /**
   * Where it happens. `answer`, the default: instead of the answer to a request, or to it. `store`: in transactions of the store;
   * `dns` and `addresses`: before a proxy application is written. These three have no match, `retryAfter`, `cut` or `after`,
   * and no status 429; they are rejected with 10002.
   */
  readonly at?: FaultPoint;
  /** The requests that count. Default: all requests of the interface except probes. */
  readonly match?: FaultMatch;
  /** The fault happens with every n-th that counts: the n-th, the 2n-th and so on. Default 1: with each. */
  readonly every?: number;
  /** Number of times that it happens. Default: without end. */
  readonly times?: number;
}

/** The requests that count for a rule; all members must hold. */
export interface FaultMatch {
  /** Id of an endpoint, such as `tokens.rules.list`, or the start of ids at a dot, such as `tokens.rules` or `images`. */
  readonly endpoint?: string;
  /**
   * Path of endpoints, with or without the base path: as documented, such as `/zones/{zone_id}/token_validation/rules`, or
   * with values of parameters, such as `/zones/z1/token_validation/rules`.
   */
  readonly path?: string;
  /** Method of the request. HEAD is not GET. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
}

/** A request that has an endpoint. */
export interface RoutedRequest {
  readonly method: string;
  /** Id of the endpoint. */
  readonly endpoint: string;
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** A rule with its counts. */
export interface FaultCounts {
  /** The rule. */
  readonly rule: FaultRule;
  /** Number of requests or uses of a dependency that counted. */
  readonly counted: number;
  /** Number of those for which the fault happened. */
  readonly happened: number;
}

/** The faults of a simulator. */
export interface Faults {
  /** The rules in force with their counts since they are in force. */
  rules(): readonly FaultCounts[];
  /**
   * Replaces all rules; counts begin at 0. Requests in progress keep their faults.
   *
   * @throws {InvalidInputError} with every problem and its pointer; the rules stay as they were
   */
  replace(rules: readonly FaultRule[]): void;
}

/** The faults as the simulator uses them. */
export interface FaultInjector extends Faults {
  /** Counts a request, and returns the fault that it has: that of the first rule whose turn it is. */
  ofRequest(request: RoutedRequest): FaultEffects | undefined;
  /**
   * Counts a use of a dependency; undefined, without a promise, when no rule is about it.
   *
   * @returns rejects with the error of the dependency
   */
  before(point: Exclude<FaultPoint, "answer">): Promise<void> | undefined;
}
