/** What the screen Pictures exchanges with its server part. Plain types without imports, as in `messages.ts`. */

/** The header of a response that is a picture: `PictureFacts` as JSON. */
export const pictureHeader = "x-edgeproof-picture";

/** What is known of a picture. */
export interface PictureFacts {
  /** Media type. */
  readonly type: string;
}
