/** The keys that were made on this page, and the form of a token. They stay in this tab. */
import { signal } from "@preact/signals";
import type { PlaygroundKey, SignedToken } from "../../../../src/workbench/playground-messages.ts";
import { messageOf, sendData } from "../../data.ts";
import { zoneId } from "../../overview.ts";
import { currentRequest, setRequest } from "../../requests/request-state.ts";
import { tabSignal } from "../../tab-storage.ts";
import type { PlaygroundState } from "../link.ts";
import type { ClaimsForm } from "./claims-form.ts";
import { maxKeys } from "./link-keys.ts";

/** The keys, the latest first. */
export const keys = tabSignal<readonly PlaygroundKey[]>("playground-keys", []);

/** The claims of an empty form: a token that expires in an hour. */
export const usualClaims: ClaimsForm = { sub: "ada", iss: "", aud: "", exp: "3600", nbf: "", others: "" };

export const claims = tabSignal<ClaimsForm>("playground-claims", usualClaims);

/** The result of the last step, in one sentence. */
export const keyNote = signal<{ readonly isError: boolean; readonly text: string } | undefined>(undefined);

/** The last signed token. */
export const signed = signal<string | undefined>(undefined);

/** Runs a step, and says how it went. Never rejects. */
async function attempt(step: () => Promise<string>): Promise<void> {
  try {
    keyNote.value = { isError: false, text: await step() };
  } catch (error) {
    keyNote.value = { isError: true, text: messageOf(error) };
  }
}

/** Makes a key. */
export function createKey(alg: string, kid: string): Promise<void> {
  return attempt(async () => {
    const made = await sendData<PlaygroundKey>("key/create", { alg, kid });
    const others = keys.value.filter((key) => key.kid !== made.kid || key.alg !== made.alg);
    keys.value = [made, ...others].slice(0, maxKeys);
    return `Made the key ${made.kid} for ${made.alg}. Add it to a configuration, so that its tokens are valid.`;
  });
}

/** Adds the public key to a configuration of the rules. */
export function addKey({ jwk, kid }: PlaygroundKey, config: string): Promise<void> {
  return attempt(async () => {
    await sendData("key/add", { zone: zoneId.value, key: jwk, config });
    return `The key ${kid} is in the rules.`;
  });
}

/** Signs a token, and puts it into the request. */
export function signToken({ jwk, kid }: PlaygroundKey, config: string): Promise<void> {
  return attempt(async () => {
    const body = { zone: zoneId.value, key: jwk, config, ...claims.value, request: currentRequest() };
    const { token, request } = await sendData<SignedToken>("token/sign", body);
    signed.value = token;
    setRequest(request);
    return `Signed with ${kid}; the request has the token.`;
  });
}

/** The keys and claims of a link. */
export function currentKeys(): Pick<PlaygroundState, "keys" | "claims"> {
  const isUsual = JSON.stringify(claims.value) === JSON.stringify(usualClaims);
  return {
    ...(keys.value.length > 0 && { keys: keys.value }),
    ...(!isUsual && { claims: claims.value }),
  };
}

/** Shows those of a link. Keys of this tab stay beside them. */
export function applyKeys({ keys: given = [], claims: form = usualClaims }: PlaygroundState): void {
  const known = keys.value.filter(({ jwk }) => given.every((key) => key.jwk !== jwk));
  keys.value = [...given, ...known].slice(0, maxKeys);
  claims.value = form;
  signed.value = undefined;
  keyNote.value = undefined;
}
