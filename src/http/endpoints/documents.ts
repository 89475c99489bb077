/** Where the interface's document is read: without credentials, beside the interface and at the origin (`chosen`). */
import { z } from "zod";
import { bare } from "../../schemas/envelope.ts";
import type { Services } from "../../service/services.ts";
import { type OpenApiDocument, openApiDocument } from "../openapi.ts";
import type { Call, Endpoint } from "./endpoint.ts";

const document = z.looseObject({ openapi: z.string(), paths: z.looseObject({}) });

/** The endpoints of the document of all endpoints, these among them. */
export function documentEndpoints(all: () => readonly Endpoint[]): readonly Endpoint[] {
  // A handler's services, settings and place never change, and so neither does its document.
  const made = new WeakMap<Services, OpenApiDocument>();
  const handle = async ({ services, basePath }: Call) => {
    const known = made.get(services) ?? openApiDocument(all(), { ...services.settings, basePath });
    made.set(services, known);
    return { bare: known };
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
