/** Laws of the query parameters of every row: what is declared, decoded and documented is the same. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runSteps } from "../../src/core/work/steps.ts";
import { createEdge } from "../../src/edge.ts";
import { endpointDocuments } from "../../src/http/documents/documents.ts";
import { exampleParameters } from "../../src/http/documents/endpoint-document.ts";
import { type Endpoint, endpoint } from "../../src/http/endpoints/endpoint.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { decodeQuery } from "../../src/http/requests/query.ts";
import { anyJson, bare } from "../../src/schemas/envelope.ts";
import { anInteger, type Parameter, withDefault } from "../../src/schemas/parameters.ts";
import { genericCodes } from "../../src/service/context.ts";
import { type Json, jsonOf } from "../support/client.ts";
import { runs } from "../support/runs.ts";

const edge = createEdge();
const document = runSteps(
  openApiDocument(endpoints, { wireNames: "spec", envelopes: "spec", basePath: "/client/v4" }),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** A name of a query parameter, with its row and its JSON Schema in the document. */
interface Case {
  readonly row: Endpoint;
  readonly name: string;
  readonly parameter: Parameter;
  readonly schema: Json;
}

const cases: readonly Case[] = endpoints.flatMap((row) => {
  const operation = Object.values(document.paths)
    .flatMap((path) => Object.values(path) as Json[])
    .find(({ operationId }) => operationId === row.id);
  const described: Json[] = (operation?.parameters ?? []).filter(
    (parameter: Json) => parameter.in === "query",
  );
  const declared = Object.entries(row.query ?? {}).flatMap(([first, parameter]) =>
    [first, ...parameter.aliases].map((name) => ({ name, parameter })),
  );
  expect(described.map(({ name }) => name)).toEqual(declared.map(({ name }) => name));
  return declared.map(({ name, parameter }, i) => ({ row, name, parameter, schema: described[i].schema }));
});

const of = (shape: Parameter["shape"]) =>
  cases
    .filter(({ parameter }) => parameter.shape === shape)
    .map((sample) => [`${sample.row.id}: ${sample.name}`, sample] as const);

/** Values that only the server issues: a string of the right type is rejected when it is read. */
const isOpaque = ({ name }: Case) => name === "cursor" || name === "continuation_token";

/** Bodies of rows with lists in their queries. */
const bodies: Readonly<Record<string, object>> = {
  "tokens.rules.preview": { include: [{ host: ["api.example.com"] }] },
};

function send({ row, name }: Case, pairs: readonly (readonly [string, string])[]): Promise<Response> {
  const path = row.path
    .replace("{intel}", "intel")
    .replace("{app_service}", "app_service")
    .replaceAll(/\{(\w+)\+?\}/g, (_all, own: string) => exampleParameters[own]!);
  const others = Object.entries(row.query ?? {}).filter(
    ([own, { isRequired }]) => isRequired && own !== name,
  );
  const query = [...others.map(([own]) => [own, "1"] as const), ...pairs]
    .map(([own, text]) => `${own}=${encodeURIComponent(text)}`)
    .join("&");
  return edge.fetch(
    new Request(`https://edge.test/client/v4${path}?${query}`, {
      method: row.method,
      headers: { authorization: "Bearer t", "content-type": "application/json" },
      ...(bodies[row.id] && { body: JSON.stringify(bodies[row.id]) }),
    }),
  );
}

/** Whether the response rejects the parameter, by the code of the area and its name. */
async function rejects({ row, name }: Case, response: Response): Promise<boolean> {
  const { errors } = await jsonOf(response);
  const own = errors?.find(({ message }: Json) => message.includes(`\`${name}\``));
  if (own) expect([response.status, own.code]).toEqual([400, genericCodes[row.area].invalid]);
  return own !== undefined;
}

/** Strings that a schema of one value accepts. */
function validTexts(schema: Json): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as string[]));
  if (schema.type === "boolean") return fc.constantFrom("true", "false");
  if (schema.type === "integer")
    return fc
      .integer({ min: schema.minimum, max: schema.maximum ?? Number.MAX_SAFE_INTEGER })
      .map((value) => String(value));
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  return fc.stringMatching(/^[^,]+$/u);
}

const strange = [
  ..."01|00|+1|-1|-0|1.0|1e3|0x1| 1|TRUE|True|FALSE|yes|null|undefined|ASC|0|1|50|51|101|1001".split("|"),
  "9".repeat(15),
  "9".repeat(16),
  "9".repeat(400),
  "",
  "true ",
  "00000000-0000-4000-8000-00000000000g",
  exampleParameters["rule_id"]!.toUpperCase(),
];

const anyText = (schema: Json) => fc.oneof(validTexts(schema), fc.constantFrom(...strange), fc.string());

/** The value of a string in the type of the schema, as a client with the document has it. */
function typed(text: string, { type }: Json): unknown {
  if (type === "integer" && /^(?:0|-?[1-9]\d*)$/.test(text)) return Number(text) || (text === "0" ? 0 : text);
  if (type === "boolean" && /^(?:true|false)$/.test(text)) return text === "true";
  return text;
}

const few = { numRuns: runs(25, 8) };

/** Every strange string, then others. */
const everyStrange = {
  numRuns: strange.length + few.numRuns,
  examples: strange.map((text): [string] => [text]),
};

describe.each(of("single"))("%s", (_title, sample) => {
  test("a repeated parameter is 400, with equal and with different values", async () => {
    const law = fc.asyncProperty(anyText(sample.schema), anyText(sample.schema), async (first, second) => {
      for (const again of [first, second]) {
        const response = await send(sample, [
          [sample.name, first],
          [sample.name, again],
        ]);
        expect(await rejects(sample, response)).toBe(true);
      }
    });
    await fc.assert(law, { numRuns: 3 });
  });

  test("the decoder accepts what the document accepts, and nothing else", async () => {
    const accepts = ajv.compile({ ...sample.schema });
    const law = fc.asyncProperty(anyText(sample.schema), async (text) => {
      const isValid = accepts(typed(text, sample.schema));
      const isRejected = await rejects(sample, await send(sample, [[sample.name, text]]));
      if (isValid && isOpaque(sample)) return;
      expect([text, isRejected]).toEqual([text, !isValid]);
    });
    await fc.assert(law, everyStrange);
  });
});

describe.each(of("list"))("%s", (_title, sample) => {
  const { name, row, schema } = sample;
  const item = schema.items as Json;
  const lists = fc.array(validTexts(item), { minLength: 1, maxLength: 4 });

  test("all spellings of a list are decoded and answered alike", async () => {
    const law = fc.asyncProperty(lists, async (values) => {
      const spellings: readonly (readonly (readonly [string, string])[])[] = [
        values.map((value) => [name, value]),
        values.map((value) => [`${name}[]`, value]),
        values.map((value, i) => [`${name}%5B${i}%5D`, value]),
        [[name, values.join(",")]],
        [[`${name}[]`, values[0]!], ...values.slice(1).map((value) => [name, value] as const)],
      ];
      const answers = [];
      for (const spelling of spellings) {
        const query = spelling.map(([own, text]) => `${own}=${encodeURIComponent(text)}`).join("&");
        expect(decodeQuery(row.query ?? {}, query, row.area)[name]).toEqual(values);
        const response = await send(sample, spelling);
        answers.push([response.status, await response.text()]);
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]![0]).not.toBe(400);
    });
    await fc.assert(law, few);
  });

  test("an empty item is 400, in every spelling", async () => {
    const law = fc.asyncProperty(lists, fc.nat(4), async (values, at) => {
      const items = values.toSpliced(at, 0, "");
      for (const spelling of [
        items.map((value) => [name, value] as const),
        items.map((value) => [`${name}[]`, value] as const),
        [[name, items.join(",")] as const],
      ])
        expect(await rejects(sample, await send(sample, spelling))).toBe(true);
    });
    await fc.assert(law, few);
  });

  test("the decoder accepts what the document accepts, and nothing else", async () => {
    const accepts = ajv.compile({ ...schema });
    const law = fc.asyncProperty(fc.array(anyText(item), { minLength: 1, maxLength: 3 }), async (texts) => {
      const sent = texts.join(",");
      const isValid = accepts(sent.split(",").map((text) => typed(text, item)));
      expect([sent, await rejects(sample, await send(sample, [[name, sent]]))]).toEqual([sent, !isValid]);
    });
    await fc.assert(law, few);
  });
});

const aliased = cases.filter(({ parameter, name, row }) => parameter.aliases.length > 0 && row.query?.[name]);

test.each(aliased.map((sample) => [sample.name, sample] as const))(
  "%s and its other name are one parameter: equal values pass, different ones are 400",
  async (_name, sample) => {
    const [other = ""] = sample.parameter.aliases;
    const law = fc.asyncProperty(
      validTexts(sample.schema),
      validTexts(sample.schema),
      async (first, second) => {
        const pairs = [
          [sample.name, first],
          [other, second],
        ] as const;
        expect(await rejects(sample, await send(sample, pairs))).toBe(first !== second);
        expect(await rejects(sample, await send(sample, [pairs[0], [other, first]]))).toBe(false);
      },
    );
    await fc.assert(law, few);
  },
);

test("a missing parameter is 400 exactly when it is required, and others are ignored", async () => {
  for (const sample of cases.filter(({ parameter }) => parameter.shape !== "pairs")) {
    const response = await send(sample, [["unknown", "1"]]);
    expect([sample.row.id, sample.name, await rejects(sample, response)]).toEqual([
      sample.row.id,
      sample.name,
      sample.parameter.isRequired,
    ]);
  }
});

test("every parameter of an example is declared by its row", () => {
  for (const { id, query = {} } of endpoints) {
    const names = Object.entries(query).flatMap(([name, { aliases }]) => [name, ...aliases]);
    const unknown = Object.keys(endpointDocuments[id].example.query ?? {}).filter(
      (name) => !names.includes(name) && !Object.values(query).some(({ isName }) => isName?.(name)),
    );
    expect([id, unknown]).toEqual([id, []]);
  }
});

test("the compiler rejects a parameter that the row does not declare", () => {
  const row = { id: "zones.list", area: "shared", method: "GET", path: "/x", summary: "" } as const;
  const response = bare(anyJson);
  const rows = [
    endpoint({
      ...row,
      response,
      query: { page: withDefault(anInteger({ min: 1 }), 1) },
      handle: async ({ query }) => {
        const page: number = query.page;
        // @ts-expect-error -- it is not declared
        return { result: [page, query.size] };
      },
    }),
    // @ts-expect-error -- the row declares no parameters
    endpoint({ ...row, response, handle: async ({ query }) => ({ result: query.page }) }),
  ];
  expect(rows).toHaveLength(2);
});

test("the laws are about every kind of parameter", () => {
  const counts = (["single", "list", "pairs"] as const).map((shape) => of(shape).length);
  for (const [i, least] of [51, 4, 1].entries()) expect(counts[i]).toBeGreaterThanOrEqual(least);
});
