/** Peers of the benchmarks of images. */
export { createIPX, createIPXNodeServer } from "ipx";
export { Jimp } from "jimp";
