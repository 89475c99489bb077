/** A plain second reader of YAML: the tree of the parser's tokens, with the values of its strings. */
import { CST, Parser } from "yaml";

/** A value: a string, a list of values, members by name, or null for everything else. */
export type PlainTree = string | null | readonly PlainTree[] | { readonly [name: string]: PlainTree };

/** Plain scalars that are not strings. */
const otherScalar = /^(?:~|null|true|false|[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|\.\d+))$/i;

const ignoreError = () => {};

/** The tree of the first document; undefined without a value. */
export function parserTree(text: string): PlainTree | undefined {
  for (const token of new Parser().parse(text))
    if (token.type === "document") return token.value && treeOf(token.value);
  return undefined;
}

function treeOf(token: CST.Token): PlainTree | undefined {
  if (CST.isScalar(token)) {
    if (token.type === "scalar" && otherScalar.test(token.source)) return null;
    return CST.resolveAsScalar(token, false, ignoreError)?.value;
  }
  if (!CST.isCollection(token)) return undefined;
  const isMap =
    token.type === "block-map" || (token.type === "flow-collection" && token.start.source === "{");
  const items = (token.items as readonly CST.CollectionItem[]).map(({ key, value }) => {
    const name = key && CST.isScalar(key) ? CST.resolveAsScalar(key, false, ignoreError).value : undefined;
    return [name, value && treeOf(value)] as const;
  });
  if (!isMap) return items.flatMap(([, value]) => (value === undefined ? [] : [value]));
  return Object.fromEntries(
    items.flatMap(([name, value]) => (name === undefined || value === undefined ? [] : [[name, value]])),
  );
}
