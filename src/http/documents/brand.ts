/** Documents of brand protection. */
import { type EndpointDocument, exampleFile, examplePicture } from "./endpoint-document.ts";

const list = { limit: "50", offset: "0" };

export const brandDocuments = {
  "brand.domains.queries.list": {
    description: "Lists the domain queries of the account, or the one with the id.",
    errors: [],
    example: { query: { id: "1" } },
  },
  "brand.domains.queries.create": {
    description:
      "Creates a domain query: patterns with the number of edits that a name may differ by. With `search_lookback` it also searches the names that were observed before; a header reports how far that came.",
    errors: [],
    example: {
      body: { tag: "shop", string_matches: [{ pattern: "example", max_edit_distance: 1 }], scan: false },
    },
  },
  "brand.domains.queries.edit": {
    description: "Changes the members that the body has, also of a query with matches.",
    errors: [],
    example: { body: { string_matches: [{ pattern: "paypal", max_edit_distance: 2 }] } },
  },
  "brand.domains.queries.delete": {
    description: "Deletes a domain query and its matches.",
    errors: [],
    example: {},
  },
  "brand.domains.matches.list": {
    description:
      "Lists the names that one or several queries match. Dismissed ones are left out unless asked for.",
    errors: [],
    example: { query: { query_id: "1", ...list, include_domain_id: "true" } },
  },
  "brand.domains.matches.dismiss": {
    description: "Hides a match of one query; those of other queries stay.",
    errors: [],
    example: {},
  },
  "brand.domains.matches.undismiss": {
    description: "Shows a dismissed match again; nothing changes for one that is not dismissed.",
    errors: [],
    example: {},
  },
  "brand.logos.queries.list": {
    description:
      "Lists the logo queries of the account, or the one with the id; with `download` also their pictures.",
    errors: [],
    example: { query: { id: "1", download: "false" } },
  },
  "brand.logos.queries.create": {
    description:
      "Creates a logo query from a PNG or JPEG in base64. With `search_lookback` it also searches the pictures that were observed before; headers report how far that came.",
    errors: [],
    example: { body: { tag: "round logo", similarity_threshold: 0.8, image_data: examplePicture } },
  },
  "brand.logos.queries.delete": {
    description: "Deletes a logo query and its matches.",
    errors: [],
    example: {},
  },
  "brand.logos.matches.list": {
    description:
      "Lists the pictures in which the logo of a query was found; with `download` also the pictures.",
    errors: [],
    example: { query: { query_id: "1", ...list } },
  },
  "brand.logos.matches.dismiss": {
    description: "Marks a match of a logo query as dismissed; it stays in the list.",
    errors: [],
    example: {},
  },
  "brand.logos.matches.undismiss": {
    description: "Removes the mark of a dismissed match of a logo query.",
    errors: [],
    example: {},
  },
  "brand.observations.names": {
    description:
      "Stores observed names, one a line, alone or as JSON, and matches them with the queries of the account. Invalid lines are counted and reported.",
    errors: [],
    example: { body: "paypa1.net\n" },
  },
  "brand.observations.pictures": {
    description: "Stores observed pictures and searches them for the logos of the account.",
    errors: [5400, 9207, 10413],
    example: { body: { picture: [exampleFile] } },
  },
} as const satisfies Readonly<Record<string, EndpointDocument>>;
