/** Collections of logos (both CC0). */
export { icons as iconify } from "@iconify-json/logos";
export * as simpleIcons from "simple-icons";
