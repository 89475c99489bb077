/**
 * Hosts, methods and endpoints that cannot match as they are meant (`observed` for hosts: the provider accepts host
 * names of at most 255 characters).
 */

import type { Diagnostic } from "../../../core/diagnostic.ts";
import { pointer, quote } from "../../../errors.ts";
import type { Operation, Selector } from "../model.ts";
import { hostVariable, isHostTemplate, normalizeHostTemplate } from "../zone/host-template.ts";
import { readTarget } from "../zone/target.ts";
import { type RemarkKind, remark } from "./remark.ts";

/** Maximum length of a host name in characters (`observed`). */
const maxHostLength = 255;

/** A method's name (RFC 9110, section 9.1: a token). */
const methodName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Remarks on the hosts of a selector, whose members have the right types. */
export function selectorRemarks({ include }: Selector, at: string): Diagnostic<RemarkKind>[] {
  return (include ?? []).flatMap(({ host }, i) =>
    (host ?? []).flatMap((template, j) => hostRemarks(template, at + pointer("include", i, "host", j))),
  );
}

/** Remarks on an operation, whose members are strings. */
export function operationRemarks(
  { method, host, endpoint }: Operation,
  at: string,
): Diagnostic<RemarkKind>[] {
  const methods = methodName.test(method)
    ? []
    : [
        remark(
          "cannot-match",
          `${at}/method`,
          `\`method\` must be a method name such as \`GET\`; found ${method === "" ? "an empty string" : quote(method)}.`,
        ),
      ];
  return [...methods, ...hostRemarks(host, `${at}/host`), ...endpointRemarks(endpoint, `${at}/endpoint`)];
}

/** Remarks on templates of hosts in a selector that no operation has; `known` has the hosts of the operations. */
export function templateRemarks(
  { include }: Selector,
  known: ReadonlySet<string>,
  at: string,
): Diagnostic<RemarkKind>[] {
  return (include ?? []).flatMap(({ host }, i) =>
    (host ?? []).flatMap((template, j): Diagnostic<RemarkKind>[] => {
      const normal = normalizeHostTemplate(template);
      if (!isHostTemplate(normal) || known.has(normal)) return [];
      const message = `A host with variables must be that of an operation; found ${quote(template)}.`;
      return [remark("cannot-match", at + pointer("include", i, "host", j), message)];
    }),
  );
}

function hostRemarks(host: string, at: string): Diagnostic<RemarkKind>[] {
  const defect = hostDefect(host);
  if (defect !== undefined) {
    const found = host === "" ? "an empty string" : `${quote(host)}: ${defect}`;
    const message = `\`host\` must be a host name; found ${found}.`;
    return [remark("cannot-match", at, message)];
  }
  if (!/:[0-9]*$/.test(host)) return [];
  return [remark("port-removed", at, `\`host\` must have no port; the port of ${quote(host)} is ignored.`)];
}

/** Parts that are not allowed in a host name, with the reason. */
const forbiddenParts: readonly (readonly [part: RegExp, reason: string])[] = [
  [/:\/\//, "it must not have a scheme"],
  [/[/?#\\]/, "it must not have a path"],
  [/\s/, "it must not have white space"],
  [/@/, "it must not have a user"],
  [/\*/, "`*` matches no other label; a variable such as `{name}` does in an operation"],
];

function hostDefect(host: string): string | undefined {
  if (host === "") return "it is empty";
  if (host.length > maxHostLength) return `it has ${host.length} characters, of at most ${maxHostLength}`;
  const forbidden = forbiddenParts.find(([part]) => part.test(host));
  if (forbidden !== undefined) return forbidden[1];
  const labels = normalizeHostTemplate(host).split(".");
  if (/(?<=^|[.])\{\}/.test(host) || labels.some((label) => label !== hostVariable && /[{}]/.test(label)))
    return "a variable must be a whole label with a name, such as `{name}`";
  const isUsual = labels.every((label) => label === hostVariable || /^[a-z0-9_-]+$/.test(label));
  if (!isUsual && !/^\[[0-9a-f:.]+\]$/.test(labels.join(".")))
    return "each label must have letters, digits, `-` and `_`";
  return isPossible(host, labels) ? undefined : "it is neither a valid name nor a valid address";
}

/** Whether a URL can have the host, with some labels for its variables. */
function isPossible(host: string, labels: readonly string[]): boolean {
  const concrete = (label: string) => labels.map((own) => (own === hostVariable ? label : own)).join(".");
  const hosts = labels.includes(hostVariable) ? [concrete("x"), concrete("1")] : [host];
  return hosts.some((hostname) => readTarget(`http://${hostname}/`) !== undefined);
}

function endpointRemarks(endpoint: string, at: string): Diagnostic<RemarkKind>[] {
  const segment = endpoint.split("/").find((part) => /^:[A-Za-z_]/.test(part) || /^\*+$/.test(part));
  if (segment === undefined) return [];
  const message = `\`endpoint\` must have variables such as \`{id}\`; found ${quote(segment)}, which matches only itself.`;
  return [remark("cannot-match", at, message)];
}
