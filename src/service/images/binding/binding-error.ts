/** Errors of the Images binding (texts `observed` for `INFO` and `TRANSFORM`, chosen for `HOSTED`). */

/** The part of the binding that has failed. */
export type BindingPart = "INFO" | "TRANSFORM" | "HOSTED";

export function bindingError(
  part: BindingPart,
  code: number,
  message: string,
): Error & { readonly code: number } {
  return Object.assign(new Error(`IMAGES_${part}_ERROR ${code}: ${message}`), { code });
}
