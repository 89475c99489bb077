/** The syntax tree of a rule's expression (grammar: `observed`, the provider's open-source rules engine). */

import type { Span } from "./syntax-error.ts";

/** The combinators, in ascending precedence. */
export const combinators = ["or", "xor", "and"] as const;

/** A combinator. */
export type Combinator = (typeof combinators)[number];

/** `a or b or c` has three operands; `(a or b) or c` has two, the first of them a combination. */
export interface Combination {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "combination";
  /** The combinator between all operands. */
  readonly operator: Combinator;
  /** At least two. */
  readonly operands: readonly Expression[];
  /** From the start of the first operand to the end of the last one, their parentheses included. */
  readonly span: Span;
}

/** `not` applies to one simple expression. */
export interface Negation {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "not";
  /** The negated expression. */
  readonly operand: Expression;
  /** From `not` to the end of the operand, its parentheses included. */
  readonly span: Span;
}

/** The boolean functions of an expression. */
export const tokenTests = ["is_jwt_valid", "is_jwt_present"] as const;

/** `is_jwt_valid("id")` or `is_jwt_present("id")`. */
export interface TokenTest {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "token";
  /** The function. */
  readonly test: (typeof tokenTests)[number];
  /** Id of the token configuration. */
  readonly configId: string;
  /** Span of the configuration's id, quotes included. */
  readonly configSpan: Span;
  /** Span of the whole call. */
  readonly span: Span;
}

/** Fields with one string as value. */
export const plainFields = ["http.request.method", "http.host", "http.request.uri.path"] as const;

/** Fields with lists of strings by name. */
export const listedFields = ["http.request.headers", "http.request.cookies"] as const;

/** A value of the request, such as `http.request.headers["accept"][0]`. */
export type Field =
  | {
      /** The field. */
      readonly name: (typeof plainFields)[number];
    }
  | {
      /** The field. */
      readonly name: (typeof listedFields)[number];
      /** Name of the header or cookie. */
      readonly key: string;
      /** Position among the values with that name, from 0. */
      readonly index: number;
    };

/** The operators that compare with one string. */
export const stringOperators = ["eq", "ne", "contains", "wildcard", "strict wildcard"] as const;

/** Comparison of a field with one string, or with a set of strings. False when the field is missing. */
export type Comparison =
  | {
      /** Distinguishes the nodes of the tree. */
      readonly kind: "comparison";
      /** The compared field. */
      readonly field: Field;
      /** The operator, in its canonical spelling. */
      readonly operator: (typeof stringOperators)[number];
      /** The string, or the pattern of `wildcard` and `strict wildcard`. */
      readonly value: string;
      /** From the field to the end of the string. */
      readonly span: Span;
    }
  | {
      /** Distinguishes the nodes of the tree. */
      readonly kind: "comparison";
      /** The compared field. */
      readonly field: Field;
      /** True when the field has one of the values. */
      readonly operator: "in";
      /** The strings of the set, possibly none. */
      readonly values: readonly string[];
      /** From the field to the closing brace. */
      readonly span: Span;
    };

/** Functions of a value: ASCII letters in lower or upper case, and the length in bytes (`observed`). */
export const valueFunctions = ["lower", "upper", "len"] as const;

/** A function of a value. */
export type ValueFunction = (typeof valueFunctions)[number];

/** Functions of a value and a string. */
export const stringTests = ["starts_with", "ends_with"] as const;

/** The operators that compare a length with an integer. */
export const integerOperators = ["eq", "ne", "lt", "le", "gt", "ge"] as const;

/** Whether some value of a header or cookie, or each of them, passes a comparison. */
export const quantifiers = ["any", "all"] as const;

/** Fields that are only in comparisons with functions and in `matches`. */
export const uriFields = ["http.request.uri", "http.request.uri.query"] as const;

/** A value in a {@link FunctionTest}: a field, or with index `*` each value of a header or cookie. */
export type ValueField =
  | Field
  | {
      /** The field. */
      readonly name: (typeof uriFields)[number];
    }
  | {
      /** The field. */
      readonly name: (typeof listedFields)[number];
      /** Name of the header or cookie. */
      readonly key: string;
      /** All values with that name. */
      readonly index: "*";
    };

/**
 * A comparison with functions, quantifiers, `matches`, or a field of the whole URI. False when the value is missing;
 * `any` of no values is false and `all` of no values is true.
 */
export interface FunctionTest {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "function";
  /** Present when the index of the field is `*`. */
  readonly quantifier?: (typeof quantifiers)[number];
  /** The functions of the value, the outermost first. */
  readonly functions: readonly ValueFunction[];
  /** The field that the functions are of. */
  readonly field: ValueField;
  /** The operator, or one of the functions `starts_with` and `ends_with`. */
  readonly operator:
    | (typeof stringOperators)[number]
    | "in"
    | "matches"
    | (typeof stringTests)[number]
    | (typeof integerOperators)[number];
  /** The string, the pattern, the strings of a set, or the integer that a length is compared with. */
  readonly operand: string | readonly string[] | number;
  /** From the first name to the end of the operand or the closing parenthesis. */
  readonly span: Span;
}

/** An expression without operands: true or false for a request. */
export type Leaf = TokenTest | Comparison | FunctionTest;

/** A rule's expression. */
export type Expression = Combination | Negation | Leaf;
