import fc from "fast-check";
import { expect, test } from "vitest";
import { indexTemplates } from "../../../../../src/engine/tokens/analysis/requests/overlapping-templates.ts";
import { variable } from "../../../../../src/engine/tokens/zone/path-template.ts";
import { runs } from "../../../../support/runs.ts";

const text = fc.constantFrom("", "a", "b", "variable");
const template = fc.array(fc.oneof(text, fc.constant(variable)), { minLength: 1, maxLength: 3 });

test("the index finds the templates that match a path, in their order", () => {
  const property = fc.property(
    fc.array(template, { maxLength: 12 }),
    fc.array(text, { minLength: 1, maxLength: 3 }),
    (templates, path) => {
      const isMatch = (segments: readonly (string | symbol)[]) =>
        segments.length === path.length &&
        segments.every((segment, i) => (segment === variable ? path[i] !== "" : segment === path[i]));
      const all = [...templates.entries()];
      const index = indexTemplates(all.map(([i, segments]) => ({ i, segments })));
      const found = index.overlapping(path).map(({ i }) => i);
      expect(found).toEqual(all.flatMap(([i, segments]) => (isMatch(segments) ? [i] : [])));
    },
  );
  fc.assert(property, { numRuns: runs(2_000, 200) });
});
