/** The trees of expressions that callers pass: made by them, or by `parseExpression`. */

import {
  aBigint,
  aBoolean,
  aNumber,
  arrayOf,
  aString,
  either,
  type Kind,
  objectWith,
  oneOf,
  optional,
  recursive,
  unionBy,
} from "../../../core/arguments.ts";
import { functionNames } from "./language/functions.ts";
import { combinators, quantifiers } from "./tree.ts";

const aSpan = objectWith({ start: aNumber, end: aNumber });
const node = { isArray: aBoolean, span: aSpan };
const typed = { type: aString, isEach: aBoolean, span: aSpan };
const anInteger = either(aNumber, aBigint);

const aLiteral = objectWith({ ...typed, value: either(aString, aNumber, aBigint) });
const aValue: Kind = recursive(() => unionBy("kind", values));
const anArgument: Kind = recursive(() => unionBy("kind", { ...values, literal: aLiteral }));
const values = {
  field: objectWith({ ...typed, name: aString }),
  index: objectWith({ ...typed, of: aValue, key: either(aString, aNumber), keySpan: aSpan }),
  each: objectWith({ ...typed, of: aValue }),
  call: objectWith({ ...typed, name: oneOf(...functionNames), args: arrayOf(anArgument) }),
};

const range = { first: anInteger, last: anInteger };
const anItem = unionBy("type", {
  String: objectWith({ value: aString }),
  Int: objectWith(range),
  IP: objectWith({ ...range, prefix: optional(aNumber) }),
});
const aPattern = objectWith({ value: aString });
const anOperand = unionBy("kind", {
  ...values,
  literal: aLiteral,
  set: objectWith({ items: arrayOf(anItem) }),
  list: objectWith({ name: aString, span: aSpan }),
  wildcard: aPattern,
  regex: aPattern,
});

/** A tree. */
export const anExpression: Kind = recursive(() =>
  unionBy("kind", {
    combination: objectWith({ ...node, operator: oneOf(...combinators), operands: arrayOf(anExpression, 1) }),
    not: objectWith({ ...node, operand: anExpression }),
    quantified: objectWith({ ...node, quantifier: oneOf(...quantifiers), operand: anExpression }),
    comparison: objectWith({ ...node, left: aValue, operator: aString, right: anOperand }),
    test: objectWith({ ...node, value: aValue }),
    constant: objectWith({ ...node, value: aBoolean }),
  }),
);
