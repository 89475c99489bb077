/** The locations that the expressions of an analysis read, and the formula of each expression. */

import { knownFields } from "../../expression/language/fields.ts";
import { printedTree } from "../../expression/printer.ts";
import type { Expression } from "../../expression/tree.ts";
import { leavesOf, valuesOf } from "../../expression/tree-queries.ts";
import { ownName } from "../../expression/values/given.ts";
import { noFacts } from "../../rulesets/input/zone-facts.ts";
import type { BoundConfigs } from "../bound-expression.ts";
import type { ComparisonDfa } from "../strings/comparison-dfas.ts";
import type { TextComparison } from "../strings/string-test.ts";
import { type Claims, createClaims } from "./claims.ts";
import { type Atom, atomsOf, type Formula } from "./formula.ts";
import type { ValuesOfFields } from "./own-fields.ts";
import { createOwnLocations, type OwnLocations } from "./own-locations.ts";
import type { ExpressionScope, TranslationScope, UnreadPart } from "./scope.ts";
import { translate } from "./translate.ts";

/** The model of the requests that some expressions can tell from each other. */
export interface Model {
  readonly own: OwnLocations;
  readonly claims: Claims;
  readonly unread: ReadonlyMap<string, UnreadPart>;
  /** The fields that the expressions read, by their own names. */
  readonly fields: ReadonlySet<string>;
  /** The formula of an expression, or of a part of one. */
  formulaOf(expression: Expression, scope: ExpressionScope): Formula;
  /** The test that an atom is of, in canonical spelling. */
  textOf(atom: Atom): string;
}

const noLists: ReadonlyMap<string, never> = new Map<string, never>();

/** Creates the model of some expressions. */
export function createModel(expressions: readonly Expression[], values: ValuesOfFields = "given"): Model {
  const own = createOwnLocations();
  const claims = createClaims(own);
  const audiences = countAudiences(expressions);
  const unread = new Map<string, UnreadPart>();
  const dfas = new Map<string, ComparisonDfa>();
  const fields = fieldsOf(expressions);
  const scopes = new Map<BoundConfigs, Map<unknown, Translated>>();
  const translatedBy = ({ configs, lists = noLists, zone = noFacts }: ExpressionScope): Translated => {
    const ofConfigs = scopes.get(configs) ?? new Map<unknown, Translated>();
    scopes.set(configs, ofConfigs);
    const found = ofConfigs.get(lists);
    if (found !== undefined) return found;
    // Facts of the zone need no value in a request.
    for (const name of Object.keys(zone)) fields.delete(name);
    const scope = { configs, lists, zone, own, values, claims, audiences, unread, dfas, known: new Map() };
    const translated = { scope, formulas: new Map<Expression, Formula>() };
    ofConfigs.set(lists, translated);
    return translated;
  };
  return {
    own,
    claims,
    unread,
    fields,
    formulaOf: (expression, names) => {
      const { scope, formulas } = translatedBy(names);
      const formula = formulas.get(expression) ?? translate(scope, expression);
      formulas.set(expression, formula);
      return formula;
    },
    textOf: (atom) => {
      const all = [...scopes.values()].flatMap((ofConfigs) => [...ofConfigs.values()]);
      const tests = all.flatMap(({ scope }) => [...scope.known]);
      return tests.find(([, formula]) => atomsOf(formula).includes(atom))?.[0] ?? "";
    },
  };
}

/** The names of some expressions, and the formula of each that was translated. */
interface Translated {
  readonly scope: TranslationScope;
  readonly formulas: Map<Expression, Formula>;
}

/** The comparisons of the method, the URL, headers and cookies in some expressions, each once; those of parts are left out. */
export function comparisonsOf(
  expressions: readonly Expression[],
  configs: BoundConfigs,
): readonly TextComparison[] {
  const model = createModel(expressions);
  const atoms = expressions.flatMap((expression) => atomsOf(model.formulaOf(expression, { configs })));
  const comparisons = atoms.flatMap((atom) =>
    atom.kind === "text" && atom.comparison.run === undefined ? atom.comparison : [],
  );
  return [...new Map(comparisons.map((comparison) => [JSON.stringify(comparison), comparison])).values()];
}

/** The maximum number of audiences that quantifiers are expanded to (`chosen`). */
const maxAudiences = 8;

const audienceField = "http.request.jwt.claims.aud";

/** As many as are compared by position, and one more for each other comparison: others can be left out of any list. */
function countAudiences(expressions: readonly Expression[]): number | undefined {
  const quantified = new Set<string>();
  let compared = 0;
  for (const test of expressions.flatMap(leavesOf)) {
    const values = valuesOf(test);
    if (!values.some((value) => value.kind === "field" && value.name === audienceField)) continue;
    quantified.add(printedTree(test));
    for (const value of values)
      if (value.kind === "index" && typeof value.key === "number")
        compared = Math.max(compared, value.key + 1);
  }
  const count = compared + quantified.size;
  return count > maxAudiences ? undefined : count;
}

/** The fields that expressions read, by their own names. */
function fieldsOf(expressions: readonly Expression[]): Set<string> {
  return new Set(
    expressions.flatMap(valuesOf).flatMap((value) => {
      const field = value.kind === "field" ? knownFields.get(value.name) : undefined;
      return field === undefined ? [] : ownName(field);
    }),
  );
}
