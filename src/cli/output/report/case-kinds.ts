/** The kinds of things that commands look at. */

/** Each kind: the noun with which it is counted, and whether a case of it means that something was evaluated. */
export const caseKinds = {
  rule: { noun: "rule", isEvaluated: true },
  configuration: { noun: "configuration", isEvaluated: true },
  application: { noun: "application", isEvaluated: true },
  pattern: { noun: "pattern", isEvaluated: true },
  variant: { noun: "variant", isEvaluated: true },
  operation: { noun: "operation", isEvaluated: true },
  request: { noun: "request", isEvaluated: true },
  mutant: { noun: "mutant", isEvaluated: true },
  picture: { noun: "picture", isEvaluated: true },
  zone: { noun: "zone", isEvaluated: false },
  file: { noun: "file", isEvaluated: false },
  resource: { noun: "resource", isEvaluated: true },
} as const satisfies Readonly<Record<string, { readonly noun: string; readonly isEvaluated: boolean }>>;

/** A kind of case. */
export type CaseKind = keyof typeof caseKinds;
