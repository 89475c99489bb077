/** The one module of Node that the sources of the expression engine name; the build replaces the file that imports it. */
declare module "node:module" {
  export function createRequire(url: string): (name: string) => unknown;
}
