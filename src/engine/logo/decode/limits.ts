/** The limits of pictures in which logos are searched. */

/** Default maximum size of an image file: 5 MiB (5,242,880 bytes). */
export const defaultMaxBytes = 5 * 1024 * 1024;
/** Default maximum of an image's pixels, width times height: 25,000,000. */
export const defaultMaxPixels = 25_000_000;

/** Maximum of `maxPixels`: 100,000,000. A pixel takes four bytes while a picture is described. */
export const maxMaxPixels = 100_000_000;
