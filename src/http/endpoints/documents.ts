/** The OpenAPI document, served without credentials below the base path and at the origin (`chosen`). */
import * as z from "zod";
import { type Kept, keepSuccess } from "../../core/work/keep-success.ts";
import { runStepsAsync } from "../../core/work/steps.ts";
import { bare } from "../../schemas/envelope.ts";
import type { Services } from "../../service/services.ts";
import { type OpenApiDocument, openApiDocument } from "../openapi.ts";
import type { Call, Endpoint } from "./endpoint.ts";

const document = z.looseObject({ openapi: z.string(), paths: z.looseObject({}) });

/** The endpoints that serve the document of all endpoints, including themselves. */
export function documentEndpoints(all: () => readonly Endpoint[]): readonly Endpoint[] {
  // Services, settings and base path of a handler never change, so its document is built once.
  const documents = new WeakMap<Services, Kept<OpenApiDocument>>();
  const handle = async ({ services, basePath }: Call) => {
    const known =
      documents.get(services) ??
      keepSuccess(() => runStepsAsync(openApiDocument(all(), { ...services.settings, basePath })));
    documents.set(services, known);
    return { bare: await known.get() };
  };
  const row = {
    area: "shared",
    method: "GET",
    path: "/openapi.json",
    summary: "The interface as an OpenAPI document",
    response: bare(document),
    handle,
  } as const;
  return [
    { ...row, id: "document" },
    { ...row, id: "document.origin", mount: "origin" },
  ];
}
