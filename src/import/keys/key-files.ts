/** Reads files with the keys of an issuer (JWK Set, JWK, `{ kid: PEM }`, PEM) as a configuration of their own. */
import { success } from "../../core/result.ts";
import { runCommand } from "../../core/text/run-command.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import { derivedUuid } from "../../service/tokens/derived-ids.ts";
import { derivedValue, leftOut } from "../import-rules.ts";
import { locationOf, type Origin } from "../origin.ts";
import type { Reader } from "../reader.ts";
import { emptyReading, type Reading } from "../reading.ts";
import { jsonValue, placesOf, type SourceFile } from "../source-file.ts";
import { undecidedPart } from "../undecided.ts";
import { isKeyDocument, keysFromJwks } from "./keys-from-jwks.ts";
import { isPem } from "./pem.ts";

/** `curl https://issuer/.../certs > jwks.json`. */
export const keyFiles: Reader = {
  format: "keys of an issuer",
  detect: (file) => isKeyText(file) || isKeyDocument(jsonValue(file)),
  read: (file, { keysOf }) => success(readKeys(file, keysOf)),
};

function isKeyText({ text }: SourceFile): boolean {
  return isPem(text) && !/^\s*[[{"]/.test(text);
}

/** The location of bearer tokens (RFC 6750, section 2.1). */
const bearerSource = 'http.request.headers["authorization"][0]';

/** Maximum length of a title, in characters (`observed`). */
const maxTitle = 50;

function readKeys(file: SourceFile, keysOf: string | undefined): Reading {
  const { keys, dropped, notes } = keysFromJwks(isKeyText(file) ? file.text : jsonValue(file), {
    sharedSecrets: "accept",
  });
  const place = placesOf(file);
  const at = (pointer: string): Origin => ({ file: place, pointer });
  const left = dropped.map(({ pointer = "", message }) => leftOut(at(pointer), message));
  const run = `${runCommand} world keys ${shellWord(file.name)}`;
  if (keys.length === 0) {
    const message = "No key of the file can be a key of a configuration.";
    return {
      ...emptyReading,
      dropped: left,
      undecided: [undecidedPart(locationOf(at("")), { about: "key", message, run, effect: {} })],
      run,
    };
  }
  const name = file.name.replace(/^.*[\\/]/, "");
  const title = name.replace(/\.[^.]*$/, "").slice(0, maxTitle) || "Keys";
  const id = derivedUuid(`keys of ${name}`);
  const value = { id, title, token_sources: [bearerSource], credentials: { keys: [...keys] } };
  const ownConfig = [
    `The keys are those of a configuration of their own, \`${id}\` with the title \`${title}\`, from the name of the file.`,
    `Its tokens are in \`${bearerSource}\`, where bearer tokens are (RFC 6750).`,
  ];
  const derived = keysOf === undefined ? ownConfig : [];
  return {
    ...emptyReading,
    resources: [{ kind: "token_config", value, origin: at(""), isKeySet: true }],
    dropped: left,
    derived: [
      ...derived.map((message) => derivedValue(at(""), message)),
      ...notes.map(({ pointer = "", message }) => derivedValue(at(pointer), message)),
    ],
    run,
  };
}
