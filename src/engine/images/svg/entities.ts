/**
 * The entities of an SVG's document type: old drawing programs name their namespaces with them.
 *
 * Only plain texts are taken: no external entity, no parameter entity, none that mentions another one, so that
 * nothing can grow by nesting. What they add to the document is counted.
 */

import { withoutRemarks } from "./source-text.ts";

/** A text behind a name, as far as it may be used. */
export type Entities = ReadonlyMap<string, string>;

/** Reads the internal subset of a document type; a string says why it is refused. */
export function readEntities(documentType: string): Entities | string {
  const doctype = withoutRemarks(documentType);
  const entities = new Map<string, string>();
  for (let at = doctype.indexOf("<!ENTITY"); at >= 0; at = doctype.indexOf("<!ENTITY", at + 1)) {
    const rest = doctype.slice(at + 8, at + 8 + maxDeclaration);
    const plain = /^\s+([A-Za-z_][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/.exec(rest);
    if (!plain) return "its document type declares an external, parameter or overlong entity";
    const [, name = "", double, single] = plain;
    const value = double ?? single ?? "";
    if (/[&%<]/.test(value)) return `its entity \`${name.slice(0, 40)}\` holds markup or other entities`;
    // The first declaration of a name counts (XML 1.0, 4.2).
    if (!entities.has(name)) entities.set(name, value);
    if (entities.size > maxEntities) return `its document type declares more than ${maxEntities} entities`;
  }
  return entities;
}

/** Longest declaration in characters, and the most declarations (chosen; drawing programs write about ten of 50). */
const maxDeclaration = 1_024;
const maxEntities = 100;
