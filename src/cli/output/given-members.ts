/** The parts of generated requests that only custom rules read, for people. */
import type { SimulatedRequest } from "../../engine/tokens/model.ts";

/** The members of a request that only custom rules read. */
const givenMembers = ["ip", "httpVersion", "body", "challengePassed", "fields"] as const;

/** A line for each of these members that a request has. */
export function describeGiven(request: SimulatedRequest): string[] {
  return givenMembers
    .filter((member) => request[member] !== undefined)
    .map((member) => `    ${member}: ${JSON.stringify(request[member])}`);
}

/** The claims of a token, as the end of a list; empty when any will do. */
export function describeClaims(claims: Readonly<Record<string, unknown>> | undefined): string {
  return claims === undefined ? "" : `, claims ${JSON.stringify(claims)}`;
}
