/** The rules of the codes that the interface responds with. */
import type { Rules } from "../../../core/diagnostic.ts";
import { catalogue, type NoteName, noteCodes, noteRule, type Source } from "../../../errors.ts";

/** The advice for a response, by its status. */
const helpOf: Readonly<Record<number, string>> = {
  401: "Send the header `authorization: Bearer <token>`.",
  403: "Use a token, a plan or an account that has what the message names.",
  404: "Correct the address or the id in it, or create what it names.",
  405: "Use a method that the message names.",
  413: "Send less, or raise the limit that the message names.",
  415: "Send a format that the message names.",
  421: "Send the request to a host name that the server answers.",
  422: "Use another picture or other options.",
  500: "Try again later; the log of the server has the cause.",
};

/** The rule of each code of a rejected request. */
export const errorRules: Rules = Object.fromEntries(
  Object.entries(catalogue).map(([code, { rule, name, area, status, source }]) => [
    rule,
    {
      level: "error",
      description: `${name}.`,
      help: helpOf[status] ?? "Correct what the message names.",
      tags: [area],
      docs: "reference.md#error-codes",
      code: Number(code),
      source,
    },
  ]),
);

interface NoteTexts {
  readonly description: string;
  readonly help: string;
  readonly source: Source;
}

const notes: Readonly<Record<NoteName, NoteTexts>> = {
  keyAdjusted: {
    description: "A key of a credentials set was changed or dropped when it was validated.",
    help: "Compare the keys of the response with those that were sent.",
    source: "observed",
  },
  memberIgnored: {
    description: "A member of the request body was ignored.",
    help: "Correct the name of the member, or remove it.",
    source: "chosen",
  },
  valueNoted: {
    description: "A value was accepted that the provider rejects, or was read as another one.",
    help: "Change the value as the message says.",
    source: "chosen",
  },
  notEvaluated: {
    description: "A check could not be evaluated because a fact is missing.",
    help: "Add the fact to the world file.",
    source: "chosen",
  },
  plainLogo: {
    description: "A queried logo is a plain shape that cannot be distinguished from others.",
    help: "Use a picture with more details, such as the whole logo with its words.",
    source: "chosen",
  },
};

/** The rule of each code of the `messages` of a successful response. */
export const noteRules: Rules = Object.fromEntries(
  (Object.keys(notes) as NoteName[]).map((name) => [
    noteRule(name),
    { ...notes[name], level: "note", tags: ["messages"], code: noteCodes[name] },
  ]),
);
