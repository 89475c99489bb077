/**
 * The entities of an SVG's document type: old drawing programs use them for namespaces.
 *
 * Only entities of plain text are allowed: no external entity, no parameter entity, no reference to another entity, so
 * that nesting cannot multiply them. The characters that they add to the document are counted.
 */

import { quote } from "../../../errors.ts";
import { SvgRejection } from "./rejection.ts";
import { withoutComments } from "./source-text.ts";

/** Replacement texts by name. */
export type Entities = ReadonlyMap<string, string>;

/** Reads the internal subset of a document type. @throws {SvgRejection} */
export function readEntities(documentType: string): Entities {
  const doctype = withoutComments(documentType);
  const entities = new Map<string, string>();
  for (let at = doctype.indexOf("<!ENTITY"); at >= 0; at = doctype.indexOf("<!ENTITY", at + 1)) {
    const rest = doctype.slice(at + 8, at + 8 + maxDeclaration);
    const plain = /^\s+([A-Za-z_][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/.exec(rest);
    if (!plain) throw new SvgRejection("the SVG must not declare external, parameter or overlong entities");
    const [, name = "", double, single] = plain;
    const value = double ?? single ?? "";
    if (/[&%<]/.test(value)) {
      throw new SvgRejection(
        `the SVG's entity ${quote(name.slice(0, 40))} must not contain markup or entities`,
      );
    }
    // The first declaration of a name counts (XML 1.0, 4.2).
    if (!entities.has(name)) entities.set(name, value);
    if (entities.size > maxEntities) {
      throw new SvgRejection(`the SVG must declare at most ${maxEntities} entities; found more`);
    }
  }
  return entities;
}

/** Maximum length of a declaration, in characters (chosen; drawing programs write about 50). */
const maxDeclaration = 1_024;
/** Maximum number of declarations (chosen; drawing programs write about ten). */
const maxEntities = 100;
