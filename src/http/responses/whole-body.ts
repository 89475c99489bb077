/** Bodies that are in memory as a whole, so that a server sends them without reading a stream (an eighth of a request). */

type Body = string | Uint8Array<ArrayBuffer>;

const bodies = new WeakMap<Response, Body>();

/** A response with such a body. */
export function wholeResponse(body: Body, init: ResponseInit): Response {
  const response = new Response(body, init);
  bodies.set(response, body);
  return response;
}

/** The body; undefined when it can only be read from the response, or was. */
export function wholeBody(response: Response): Body | undefined {
  return response.bodyUsed ? undefined : bodies.get(response);
}
