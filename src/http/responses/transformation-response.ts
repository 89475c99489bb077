/** The response to a transformation by address or by the object of `fetch`. */
import type { TransformationOutcome } from "../../service/images/zones/transformations.ts";
import type { WireNames } from "../wire-names.ts";
import { imageErrorResponse, transformResponse } from "./transform-answers.ts";

export function transformationResponse(outcome: TransformationOutcome, wire: WireNames): Response {
  switch (outcome.kind) {
    case "image":
      return transformResponse(outcome, wire);
    case "error":
      return imageErrorResponse(outcome.error, wire);
    case "off":
      return new Response("Not Found", {
        status: 404,
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    case "redirect": {
      const { headers } = imageErrorResponse(outcome.error, wire);
      headers.delete("content-type");
      headers.set("location", outcome.location);
      return new Response(null, { status: 302, headers });
    }
  }
}
