/** Addresses of NATS servers, and the credentials in them. No message of an error has a password. */
import { arrayOf, aString, either, objectWith, requireArgument } from "../../core/arguments.ts";
import { quote } from "../../errors.ts";
import type { JetStreamQueueOptions } from "./options.ts";

/** How a user proves to be one. */
interface Credentials {
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
}

/** The servers of a queue. */
export interface Servers extends Credentials {
  /** `host:port` of each. */
  readonly hosts: readonly string[];
  /** Whether the connection must be encrypted. */
  readonly isEncrypted: boolean;
}

/**
 * Reads the addresses of servers.
 *
 * @throws {RangeError} for an invalid address, and for servers with different credentials
 * @example readServers({ servers: "nats://edge:secret@a:4222,b" }).hosts // => ["a:4222", "b:4222"]
 */
export function readServers(options: JetStreamQueueOptions): Servers {
  requireArgument("options", options, objectWith({ servers: either(aString, arrayOf(aString)) }));
  const { servers } = options;
  const given = typeof servers === "string" ? servers.split(",") : servers;
  const addresses = given.map((text, i) => readAddress(text.trim(), i));
  if (addresses.length === 0) throw new RangeError("servers must have at least one address; found none");
  const inAddresses = addresses.map(credentialsOf).filter((each) => Object.keys(each).length > 0);
  const [first = {}] = inAddresses;
  if (inAddresses.some((each) => JSON.stringify(each) !== JSON.stringify(first)))
    throw new RangeError("the credentials of all servers must be the same; found different ones");
  const { user, password, token } = options;
  const named = { ...(user && { user }), ...(password && { password }), ...(token && { token }) };
  return {
    hosts: addresses.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    isEncrypted: addresses.some(({ protocol }) => protocol === "tls:") || options.caFile !== undefined,
    ...(Object.keys(named).length > 0 ? named : first),
  };
}

function readAddress(text: string, index: number): URL {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `nats://${text}`;
  // The address itself may have a password.
  const fail = (why: string) => new RangeError(`servers[${index}] must be such as nats://host:4222; ${why}`);
  if (!URL.canParse(address)) throw fail("it is not an address");
  const url = new URL(address);
  if (!["nats:", "tls:"].includes(url.protocol)) throw fail(`found the protocol ${quote(url.protocol)}`);
  if (url.hostname === "") throw fail("the host is missing");
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "")
    throw fail("nothing may follow the port");
  return url;
}

/** A name without a password is a token, as in other clients of NATS. */
function credentialsOf({ username, password }: URL): Credentials {
  if (username === "") return {};
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  return secret === "" ? { token: name } : { user: name, password: secret };
}
