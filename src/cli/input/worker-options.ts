/** The name under which pictures wait in a store for the workers of a queue. */
import { createHash } from "node:crypto";
import { splitParameters } from "./data-store.ts";

/** The name of a queue in the keys of pictures that wait in a store: the same for every user and password. */
export function queueNameOf(address: string): string {
  const { rest, parameters } = splitParameters(address, ["schema", "name"]);
  const [place] = withoutUser(rest).split(/[?#]/, 1);
  return createHash("sha256")
    .update(JSON.stringify([place, parameters]))
    .digest("hex")
    .slice(0, 32);
}

function withoutUser(address: string): string {
  const start = address.indexOf("//") + 2;
  const end = address.lastIndexOf("@");
  return start < 2 || end < start ? address : address.slice(0, start) + address.slice(end + 1);
}
