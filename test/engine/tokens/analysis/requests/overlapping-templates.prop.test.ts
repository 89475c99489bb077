import fc from "fast-check";
import { expect, test } from "vitest";
import { indexTemplates } from "../../../../../src/engine/tokens/analysis/requests/overlapping-templates.ts";
import { intersection } from "../../../../../src/engine/tokens/analysis/requests/partition.ts";
import { type Segment, variable } from "../../../../../src/engine/tokens/zone/path-template.ts";
import { runs } from "../../../../support/runs.ts";

const template: fc.Arbitrary<Segment[]> = fc.array(fc.constantFrom<Segment>("a", "b", "", variable), {
  minLength: 1,
  maxLength: 4,
});

test("the index finds exactly the templates that have an intersection, in their order", () => {
  fc.assert(
    fc.property(fc.array(template, { maxLength: 12 }), template, (list, wanted) => {
      const values = list.map((segments) => ({ segments }));
      const expected = values.filter(({ segments }) => intersection(wanted, segments) !== undefined);
      expect(indexTemplates(values).overlapping(wanted)).toEqual(expected);
    }),
    { numRuns: runs(500) },
  );
});
