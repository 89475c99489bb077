/** A worker thread of the sources: they are compiled when they are loaded, which Node 20 does not do by itself. */
import { register } from "tsx/esm/api";

register();
const { default: runMessage } = await import("../src/threads/thread.ts");
export default runMessage;
