/**
 * Hosts of operations and selectors. The host of an operation can have variables, such as `{hostVar1}.example.com`
 * (`observed`): a variable is a whole label and matches exactly one label that is not empty.
 *
 * In normal form each variable is `{}`, so that templates that match the same hosts are equal.
 */

import { normalizeHost } from "./target.ts";

/** A variable in normal form. */
export const hostVariable = "{}";

/** A label in braces; the labels of a host are separated by any of four dots (RFC 3490, section 3.1). */
const variableLabel =
  /(?<=^|[.\u3002\uff0e\uff61])\{[^{}.\u3002\uff0e\uff61]*\}(?=$|[.:\u3002\uff0e\uff61])/g;

/** The normal form of a host or of a template of hosts. */
export function normalizeHostTemplate(host: string): string {
  return normalizeHost(host.includes("{") ? host.replace(variableLabel, hostVariable) : host);
}

/** Whether a host in normal form has variables. */
export function isHostTemplate(host: string): boolean {
  return host.includes(hostVariable) && host.split(".").includes(hostVariable);
}

/** Whether a template matches a host; both are in normal form. */
export function matchesHost(template: string, host: string): boolean {
  const labels = host.split(".");
  const own = template.split(".");
  return own.length === labels.length && own.every((label, i) => matchesLabel(label, labels[i] ?? ""));
}

/** The hosts that both templates match, as a template; undefined when there are none. */
export function intersectHosts(left: string, right: string): string | undefined {
  const [labels, others] = [left.split("."), right.split(".")];
  if (labels.length !== others.length) return undefined;
  const both: string[] = [];
  for (const [i, label] of labels.entries()) {
    const other = others[i] ?? "";
    if (!matchesLabel(label, other) && !matchesLabel(other, label)) return undefined;
    both.push(label === hostVariable ? other : label);
  }
  return both.join(".");
}

function matchesLabel(own: string, label: string): boolean {
  return own === label || (own === hostVariable && label !== "");
}
