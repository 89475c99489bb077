/** Messages between the page of the playground and its engines. Plain types only: the page is compiled for a browser. */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Profile } from "../core/profiles.ts";
import type { Named, Rejection, SampleRequest } from "./messages.ts";

/** The zones of the rules. */
export interface RulesZones {
  /** The zones that have rules. */
  readonly zones: readonly Named[];
  readonly profile: Profile;
  /** Name of the format of the text. */
  readonly format: string;
  /** Whether rules can be saved into the text; otherwise it can be replaced by a world. */
  readonly isEditable: boolean;
}

/** A problem or a finding with its line in the text, from 1. */
export interface RulesMark extends Diagnostic {
  readonly line?: number;
}

/** Rules, and requests to begin with. */
export interface PlaygroundExample {
  readonly text: string;
  readonly samples: readonly SampleRequest[];
}

/** A key that was made on the page. */
export interface PlaygroundKey {
  readonly alg: string;
  readonly kid: string;
  /** The JSON Web Key with its private members, as JSON. */
  readonly jwk: string;
}

/** A token, and the request with it. */
export interface SignedToken {
  readonly token: string;
  readonly request: SampleRequest;
}

/** A generated file. */
export interface SuiteFile {
  /** File name. */
  readonly name: string;
  readonly text: string;
  /** Lines about the requests, and about what they do not reach. */
  readonly summary: readonly string[];
  /** The world file that a test file reads, as JSON. */
  readonly world?: string;
}

/** How many parts of a long work are done. */
export interface Progress {
  readonly done: number;
  readonly all: number;
}

/** A request for data: the engines keep no state, so each has the rules. */
export interface EngineRequest {
  readonly id: number;
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The text of the rules. */
  readonly text: string;
}

/** The answer: a result, or a rejection with the status that a server would send; before it, progress. */
export interface EngineAnswer {
  readonly id: number;
  /** Then the answer follows. */
  readonly progress?: Progress;
  readonly result?: unknown;
  /** The text of the rules, when the request changed it. */
  readonly text?: string;
  readonly status?: number;
  readonly rejection?: Rejection;
}
