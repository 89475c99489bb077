/** The check of an application on the page: what is known of its account is typed beside it, and nothing is stored. */
import { parseJsoncSource } from "../../core/json/comments.ts";
import { compileFacts } from "../../engine/proxy/facts/compile-facts.ts";
import type { CompiledFacts, Facts } from "../../engine/proxy/facts/facts.ts";
import { validateCompiled } from "../../engine/proxy/validate.ts";
import { checkApplication } from "../data/check-application.ts";
import type { DataCall, DataEndpoints } from "../data/data-endpoint.ts";
import { objectBody, stringField } from "../data/fields.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { AppCheck } from "../messages.ts";

export const applicationEndpoints: DataEndpoints<unknown> = {
  "app/check": { method: "POST", handle: check },
};

function check({ body }: DataCall<unknown>): Promise<AppCheck> {
  const given = objectBody(body);
  const facts = readFacts(stringField(given, "facts"));
  return checkApplication(stringField(given, "text"), async (app) => validateCompiled(app, facts));
}

/** Without a text nothing is known. @throws {RequestFault | InvalidInputError} for a text that is not JSON, and for invalid facts */
function readFacts(text: string): CompiledFacts {
  if (text.trim() === "") return compileFacts({});
  const parsed = parseJsoncSource(text);
  if (parsed.ok) return compileFacts(parsed.value.value as Facts);
  const [{ message, at }] = parsed.problems;
  throw new RequestFault(400, `Line ${at.start.line} of the facts: ${message}.`);
}
