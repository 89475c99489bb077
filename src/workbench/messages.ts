/** Messages between the page and its server part, as JSON. Plain types only: the page is compiled for a browser. */
import type { Diagnostic } from "../core/diagnostic.ts";

/** A request that was not carried out, with every problem of its input. */
export interface Rejection {
  /** One sentence. */
  readonly message: string;
  /** Problems with their places in the input. */
  readonly problems: readonly RejectedPart[];
}

/** A problem at a place. */
export interface RejectedPart {
  /** Error code of the interface. */
  readonly code: number;
  /** JSON pointer into the input. */
  readonly pointer?: string;
  /** One sentence: what was found and what is allowed. */
  readonly message: string;
}

/** An id with its name for people. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The zones, accounts and samples of the page. */
export interface Overview {
  /** Version of the package. */
  readonly version: string;
  readonly zones: readonly Named[];
  readonly accounts: readonly Named[];
  /** Requests to begin with. */
  readonly samples: readonly SampleRequest[];
  /** Name of the recorded run that is shown instead of a live log. */
  readonly run?: string;
  /** Whether a server writes to the log. */
  readonly isServing: boolean;
}

/** A request, as the page edits it. */
export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  /** Pairs of name and value, in order. */
  readonly headers: readonly (readonly [string, string])[];
  /** The address of the client, for custom rules. */
  readonly ip?: string;
  /** The body, for custom rules. */
  readonly body?: string;
  /** Whether the client has passed a challenge. */
  readonly challengePassed?: boolean;
  /** Values of fields of custom rules, by name. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A request with a title. */
export interface SampleRequest extends PlainRequest {
  readonly title: string;
}

/** The rules of a zone. */
export interface ZoneView extends Named {
  readonly configs: readonly ConfigView[];
  /** In order of evaluation. */
  readonly rules: readonly RuleView[];
  /** The first operations; null when each request is its own operation. */
  readonly operations: readonly OperationView[] | null;
  /** Number of operations. */
  readonly operationCount: number;
  /** The rulesets of custom rules, those of the account first. */
  readonly rulesets: readonly RulesetView[];
  /** Names of lists that custom rules can name. */
  readonly lists: readonly string[];
  /** The fields that the custom rules read and only the test can say. */
  readonly givenFields: readonly GivenFieldView[];
}

/** An operation. */
export interface OperationView {
  readonly id: string;
  readonly host: string;
  /** Method, host and path template. */
  readonly title: string;
}

/** A ruleset of custom rules. */
export interface RulesetView {
  readonly id: string;
  readonly name: string;
  readonly owner: "account" | "zone";
  /** Whether its rules are evaluated without being executed by another ruleset. */
  readonly isEntry: boolean;
  /** The first rules, in order of evaluation. */
  readonly rules: readonly CustomRuleView[];
  /** Number of rules. */
  readonly ruleCount: number;
}

/** A custom rule. */
export interface CustomRuleView {
  readonly id: string;
  /** Its description; empty without one. */
  readonly title: string;
  readonly action: string;
  /** The parameters of the action as JSON; empty without them. */
  readonly parameters: string;
  readonly enabled: boolean;
  readonly expression: string;
}

/** A field whose value a request has to say. */
export interface GivenFieldView {
  readonly name: string;
  /** Type in the language of custom rules, such as `Int`. */
  readonly type: string;
  /** One sentence. */
  readonly help: string;
}

/** A token configuration, for completion and for titles. */
export interface ConfigView {
  readonly id: string;
  readonly title: string;
  readonly sources: readonly string[];
}

/** A rule. */
export interface RuleView {
  readonly id: string;
  readonly title: string;
  readonly action: "log" | "block";
  readonly enabled: boolean;
  readonly expression: string;
  readonly selector: SelectorView;
}

/** The operations that a rule covers. */
export interface SelectorView {
  /** Hosts whose operations are covered. */
  readonly hosts: readonly string[];
  /** Ids of operations that are not. */
  readonly excluded: readonly string[];
}

/** The result of reading a pasted text. */
export interface PasteResult {
  /** Name of the format, for people. */
  readonly format: string;
  readonly requests: readonly SampleRequest[];
  /** Parts that are not requests, each with its reason. */
  readonly rejected: readonly string[];
}

/** A verdict with everything that the page shows about it. */
export interface VerdictView {
  readonly action: "allow" | "log" | "block" | "challenge" | "undecided";
  /** Why nothing decided on `allow`: the request matches no operation, or no rule was evaluated. */
  readonly missing?: "operation" | "rule";
  /** The reason in one sentence. */
  readonly because: string;
  /** Id of the operation; absent when the request matches none. */
  readonly operationId?: string;
  /** Method, host and path template of the operation; absent when the request matches none. */
  readonly operation?: string;
  readonly rules: readonly RuleVerdict[];
  readonly tokens: readonly TokenView[];
  /** Id of the rule that decided. */
  readonly decidedBy?: string;
  /** Absent without custom rules. */
  readonly custom?: CustomPartView;
  /** The explanation as the command line prints it. */
  readonly explanation: string;
}

/** The custom rules of a verdict. */
export interface CustomPartView {
  readonly action: VerdictView["action"];
  /** The response of a rule that blocks, in words. */
  readonly response?: string;
  /** The rule that decided. */
  readonly decider?: CustomRuleKey;
  /** Phases and products that rules with `skip` leave out. */
  readonly skipped: readonly string[];
  /** Fields and lists whose values are missing for a decision. */
  readonly needs: readonly string[];
  /** The first rules in order of evaluation, with their results. */
  readonly rules: readonly CustomRuleVerdict[];
}

/** Names a custom rule. */
export interface CustomRuleKey {
  readonly ruleset: string;
  readonly rule: string;
  /** Its description, or its id. */
  readonly title: string;
}

/** A custom rule with its result. */
export interface CustomRuleVerdict extends CustomRuleKey {
  readonly action: string;
  readonly result: "matched" | "not_matched" | "skipped" | "disabled" | "not_reached" | "undecided";
  /** The parts of its expression, when it was evaluated; none when the rule has changed since, or the verdict is recorded and it is false. */
  readonly leaves: readonly LeafView[];
  /** All parts; absent without leaves that have values. */
  readonly tree?: PartView;
}

/** A matching rule with its result. */
export interface RuleVerdict {
  readonly id: string;
  readonly title: string;
  readonly action: "log" | "block";
  readonly result: "fired" | "passed" | "shadowed" | "disabled" | "not_reached";
  /** The expression; empty when the rule is not known any more. */
  readonly expression: string;
  /** The value of the expression; absent when it was not evaluated. */
  readonly value?: boolean;
  /** The parts of the expression that have no operands, from left to right. */
  readonly leaves: readonly LeafView[];
  /** All parts; absent without leaves that have values. */
  readonly tree?: PartView;
}

/** A part of an evaluated expression. */
export interface PartView {
  /** `and`, `or`, `xor`, `not`, or the canonical text of a part without operands. */
  readonly text: string;
  /** Null when it is unknown or was not evaluated. */
  readonly value: boolean | null;
  /** Outcome of the check of a token, or why there is no value. */
  readonly reason?: string;
  /** The compared value, or why there is none. */
  readonly found?: string;
  /** The operands from left to right. */
  readonly operands: readonly PartView[];
}

/** A part of an expression, with its place in the text and its value. */
export interface LeafView extends Omit<PartView, "operands"> {
  /** Offset of the first code unit. */
  readonly start: number;
  /** Offset after the last code unit. */
  readonly end: number;
}

/** The token of one configuration. */
export interface TokenView {
  readonly configId: string;
  readonly title: string;
  readonly present: boolean;
  /** The source that yielded it. */
  readonly source?: string;
  /** Outcome of the check; absent when nothing asked for it. */
  readonly reason?: string;
  /** The defect in one sentence. */
  readonly detail?: string;
  readonly kid?: string;
  readonly alg?: string;
  /** Header of the token as far as it can be decoded, without a check of its signature. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Payload of the token as far as it can be decoded, without a check of its signature. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** An evaluated request. */
export interface EvaluationView {
  readonly verdict: VerdictView;
  /** Time of the evaluation, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly copies: Copies;
}

/** The request as a text to copy. */
export interface Copies {
  readonly curl: string;
  /** A test file for vitest. */
  readonly test: string;
  /** A command line of edgeproof. */
  readonly cli: string;
}

/** The evaluation of a changed expression. */
export interface DraftView {
  readonly problems: readonly RejectedPart[];
  /** Findings of the analysis about the rule. */
  readonly findings: readonly Diagnostic[];
  readonly comparison?: ComparisonView;
  readonly verdict?: VerdictView;
  /** The fields that the custom rules read with the draft and only the test can say. */
  readonly givenFields: readonly GivenFieldView[];
}

/** Whether the saved and the changed zone act differently. */
export interface ComparisonView {
  readonly result: "equivalent" | "different" | "undecided";
  /** Why the question is not decided. */
  readonly reason?: string;
  /** A request that the two zones treat differently; tokens are placeholders. */
  readonly request?: PlainRequest;
  /** Action of the saved zone. */
  readonly saved?: string;
  /** Action of the zone with the draft. */
  readonly draft?: string;
  /** State of the token of each configuration, by title. */
  readonly tokens?: readonly { readonly title: string; readonly state: string }[];
}

/** An entry of the log: the response of the interface to a request, or the verdict on a request. */
export type LogEntry =
  | {
      readonly kind: "answer";
      readonly atMs: number;
      readonly method: string;
      /** Without signatures, keys and tokens. */
      readonly path: string;
      /** Null when the connection ended before the response began. */
      readonly status: number | null;
      readonly ms: number;
    }
  | {
      readonly kind: "verdict";
      readonly atMs: number;
      /** Id of the zone. */
      readonly zone: string;
      readonly method: string;
      /** Without signatures, keys and tokens. */
      readonly path: string;
      readonly verdict: VerdictView;
    };

/** A stored proxy application. */
export interface AppView {
  readonly id: string;
  /** Host name. */
  readonly name: string;
  readonly protocol: string;
  /** The application as JSON, as a request has it. */
  readonly text: string;
}

/** The validation of the text of an application. */
export interface AppCheck {
  /** The error that keeps the text from being JSON. */
  readonly fault?: TextPlace & { readonly message: string };
  /** Violations, then warnings, in the order of the catalogue. */
  readonly findings: readonly AppMark[];
  /** Checks that need facts about the account which are not known. */
  readonly notEvaluated: readonly { readonly check: string; readonly needs: readonly string[] }[];
  /** The text with every unambiguous fix; absent when there is none. */
  readonly fixed?: string;
  /** The application as it is stored, with its defaults, as JSON; absent when it is rejected. */
  readonly stored?: string;
}

/** A part of a text. */
export interface TextPlace {
  /** Offset of the first code unit. */
  readonly start: number;
  /** Offset after the last code unit. */
  readonly end: number;
  /** 1-based. */
  readonly line: number;
}

/** A violation or a warning with its places in the text. */
export interface AppMark extends Diagnostic {
  readonly places: readonly TextPlace[];
}

/** The log since its start, or its last entries. */
export interface LogPage {
  /** Kept entries, oldest first. */
  readonly entries: readonly (LogEntry & { readonly id: number })[];
}
