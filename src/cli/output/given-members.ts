/** Generated requests for people, without secrets. */
import { maskAddress, maskHeader, maskValue } from "../../core/text/secrets.ts";
import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import { givenMembers } from "../../engine/tokens/suite/request-name.ts";

/** The first lines of a request: method and address, and each header. */
export function describeRequest({ method, url, headers }: DescribedRequest): string[] {
  return [
    `${method} ${maskAddress(url)}`,
    ...headers.map(([name, value]) => `${name}: ${maskHeader(name, value)}`),
  ];
}

/** A request as the analyses make it. */
interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A line for each of these members that a request has. */
export function describeGiven(request: SimulatedRequest): string[] {
  return givenMembers
    .filter((member) => request[member] !== undefined)
    .map((member) => `    ${member}: ${JSON.stringify(maskValue({ [member]: request[member] })[member])}`);
}

/** The claims of a token, as the end of a list; empty when any will do. */
export function describeClaims(claims: Readonly<Record<string, unknown>> | undefined): string {
  return claims === undefined ? "" : `, claims ${JSON.stringify(claims)}`;
}
