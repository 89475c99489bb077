/** `edgeproof images sign`: signs a delivery address. */

import { signAddress } from "../../engine/images/signing.ts";
import { formatDocument, UsageError } from "../command.ts";
import type { sign } from "../declarations/images.ts";
import type { InvocationOf } from "../declare.ts";
import { readKey } from "../input/secret-option.ts";

export async function run({ options, words, io }: InvocationOf<typeof sign>): Promise<number> {
  const [address = ""] = words;
  if (!/^(https?:\/\/[^/]+)?\//i.test(address)) {
    throw new UsageError(`\`${address}\` must be a URL, or a path that begins with a slash`);
  }
  const key = await readKey(options, io);
  const signed = signAddress(asRequested(address), key, options.expires);
  const asJson = { address: signed, expires_at: options.expires ?? null };
  io.stdout.write(options.json ? formatDocument(asJson) : `${signed}\n`);
  return 0;
}

/** The address as clients send it, percent-encoded and without dot segments: the signature covers this form. */
function asRequested(address: string): string {
  const isPath = address.startsWith("/");
  const absolute = isPath ? `http://path${address}` : address;
  if (!URL.canParse(absolute)) throw new UsageError(`\`${address}\` must be a URL`);
  const { href, origin } = new URL(absolute);
  return isPath ? href.slice(origin.length) : href;
}
