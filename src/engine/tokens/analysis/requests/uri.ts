/** The URI as a location in place of the path, whose restrictions hold for its first part. */

import { uriPart, uriPartDfa } from "../strings/derived-dfas.ts";
import { complementDfa, stringSetDfa } from "../strings/dfa.ts";
import type { Restriction } from "./alternatives.ts";

/** The restriction of URIs whose paths meet a restriction. */
export function restrictionOfUri({
  values,
  excluded = [],
  requiredDfas = [],
  preferred = [],
  isSendable,
}: Restriction): Restriction {
  const dfas = [
    ...(values === undefined ? [] : [stringSetDfa(values)]),
    ...(excluded.length === 0 ? [] : [complementDfa(stringSetDfa(excluded))]),
    ...requiredDfas,
  ];
  return {
    requiredDfas: dfas.map((dfa) => uriPartDfa(dfa, "path")),
    preferred: values ?? preferred,
    isSendable: (uri) => {
      const path = uriPart(uri, "path");
      return (values?.includes(path) ?? true) && (isSendable?.(path) ?? true);
    },
  };
}
