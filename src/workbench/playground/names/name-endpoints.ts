/** The data of the tab of names. Nothing is stored. */
import { domainToUnicode } from "../../../core/idna/host.ts";
import { lookAlikes } from "../../../testing/look-alikes.ts";
import type { DataCall, DataEndpoints } from "../../data/data-endpoint.ts";
import { booleanField, objectBody, stringField } from "../../data/fields.ts";
import { RequestFault } from "../../guard/request-fault.ts";
import type { LookAlikesView, LookAlikeView, NamesFound } from "../../names-messages.ts";
import { matchNames } from "./match-names.ts";

/** Look-alikes of the answer (`chosen`): more than all techniques make of a name of usual length. */
const maxLookAlikes = 5_000;

export const nameEndpoints: DataEndpoints<unknown> = {
  "names/match": { method: "POST", handle: match },
  "names/variants": { method: "POST", handle: listLookAlikes },
};

function match({ body }: DataCall<unknown>): NamesFound {
  const given = objectBody(body);
  return matchNames({
    patterns: stringField(given, "patterns"),
    names: stringField(given, "names"),
    mode: stringField(given, "mode"),
    confusables: booleanField(given, "confusables"),
    transpositions: booleanField(given, "transpositions"),
    separators: booleanField(given, "separators"),
  });
}

function listLookAlikes({ body }: DataCall<unknown>): LookAlikesView {
  const names: LookAlikeView[] = [];
  try {
    for (const { domain, technique } of lookAlikes(stringField(objectBody(body), "domain"))) {
      if (names.length === maxLookAlikes) return { names, hasMore: true };
      const unicode = domainToUnicode(domain);
      names.push({ domain, technique, ...(unicode !== domain && unicode !== "" && { unicode }) });
    }
  } catch (error) {
    if (error instanceof TypeError) throw new RequestFault(400, error.message);
    throw error;
  }
  return { names, hasMore: false };
}
