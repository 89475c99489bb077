/** Peers of the benchmarks of images. */
export { createIPX } from "ipx";
export { Jimp } from "jimp";
