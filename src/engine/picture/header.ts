/**
 * What a picture's own bytes say of it before a pixel is decoded: size, frames, orientation.
 *
 * One pass over the markers, no decoder: a rendering then needs no second opening of the file, and a bomb is refused
 * by its header. Where readers may differ, `certain` is false and the decoder's own header is to be asked.
 */

/** Formats of pixels that are read. */
export type RasterType = "png" | "jpeg" | "gif" | "webp" | "avif";

export interface ImageHeader {
  /** Size of a frame as stored, in pixels, before the orientation. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** EXIF orientation 1..8. */
  readonly orientation: number;
  /** False when the decoder may see another size or orientation, or `deepProfile` is its to say. */
  readonly certain: boolean;
  /** False when the file ends before its format says that it does. */
  readonly complete: boolean;
  /** The EXIF block of a JPEG. */
  readonly exif?: Uint8Array;
  /** Whether colours of more than 8 bits a channel come with a profile. */
  readonly deepProfile?: boolean;
  /** Frames of an animated PNG, which decoders take for a still picture. */
  readonly animation?: number;
}

/** Reads one format's header; undefined when the bytes have none. */
export type HeaderReader = (bytes: Uint8Array, view: DataView) => ImageHeader | undefined;
