/** Peers of the comparison of pictures: an earlier version of sharp, with earlier encoders, and logos to draw. */
export { icons as logos } from "@iconify-json/logos";
export { default as earlier } from "sharp-earlier";
