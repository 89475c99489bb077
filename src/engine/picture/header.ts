/**
 * Header facts of a picture, read from its own bytes before a pixel is decoded: size, frames, orientation.
 *
 * One pass over the markers, without a decoder: rendering then opens the file only once, and a decompression bomb is
 * rejected by its header. When decoders may read a header differently, `certain` is false and the decoder decides.
 */

/** Pixel formats with support for decoding. */
export type RasterType = "png" | "jpeg" | "gif" | "webp" | "avif";

/** Pixel formats whose header is read: those, and one that no decoder here decodes. */
export type HeaderType = RasterType | "heic";

/** Header facts of a picture. */
export interface ImageHeader {
  /** Width of a frame as stored, in pixels, before the orientation is applied. */
  readonly width: number;
  /** Height of a frame as stored, in pixels, before the orientation is applied. */
  readonly height: number;
  /** Number of frames, from 1. */
  readonly frames: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
  /** False when the decoder may read another size or orientation, or must decide `deepProfile`. */
  readonly certain: boolean;
  /** False when the file ends before the end that its format declares. */
  readonly complete: boolean;
  /** The EXIF block of a JPEG. */
  readonly exif?: Uint8Array;
  /** Whether the picture has a color profile and more than 8 bits a channel. */
  readonly deepProfile?: boolean;
  /** Index of the primary item of an AVIF among those that the decoder lists; the others are not shown. */
  readonly page?: number;
  /** Number of frames of an animated PNG, which decoders read as a still picture. */
  readonly animation?: number;
}

/** Size of a frame as stored. */
export type PictureSize = Pick<ImageHeader, "width" | "height">;

/** Reads the header of one format; undefined when the bytes have none. */
export type HeaderReader = (bytes: Uint8Array, view: DataView) => ImageHeader | undefined;
