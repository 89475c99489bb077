/** Who may send observations: with API tokens those with the permission, without them this machine alone (`chosen`). */
import { runCommand } from "../../core/text/run-command.ts";
import { ApiError, problem } from "../../errors.ts";
import type { Credential } from "../requests/authentication.ts";
import { isFromThisMachine } from "./peer.ts";

/**
 * Rejects observations that are not accepted; the permission of a known API token was checked before.
 *
 * @param isOn the option `ingest` of the handler
 * @throws {ApiError} 7003 without the option, 9109 from another machine without API tokens
 */
export function assertMayObserve(request: Request, credential: Credential, isOn: boolean): void {
  if (!isOn) {
    const message = `No route for observations: the option \`ingest\` (\`${runCommand} serve --ingest\`) is not set.`;
    throw new ApiError(problem(7003, message));
  }
  if (credential.isKnown || isFromThisMachine(request)) return;
  const message =
    "Without a list of API tokens, observations are accepted from this machine only, and not through a proxy.";
  throw new ApiError(problem(9109, message));
}
