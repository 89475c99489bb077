/** A picture as bytes. The page shows it from memory; no browser opens the response as a document or guesses its type. */
import { type PictureFacts, pictureHeader } from "../image-messages.ts";

/** The response, with what is known of the picture in a header. */
export function pictureResponse(bytes: Uint8Array, facts: PictureFacts): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": "attachment",
      [pictureHeader]: JSON.stringify(facts),
    },
  });
}
