/** A raster image that can be rendered: its type, its size as displayed, its frames. */
import type { HeaderType, RasterType } from "../../picture/header.ts";

/** The header of a raster image. */
export interface RasterImage<Type extends HeaderType = RasterType> {
  readonly type: Type;
  /** Size as displayed, in pixels, after the EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Pixels of all frames together. */
  readonly pixels: number;
  /** Whether the file has its end. */
  readonly complete: boolean;
  /** Whether it has more than 8 bits a channel and a color profile. */
  readonly deepProfile: boolean;
  readonly exif?: Uint8Array;
  /** Index of the primary item of an AVIF. */
  readonly page?: number;
}
