/** The members of a rule as they are edited, and the draft that is sent: the changed members of a rule, or all of a new one. */
import type { CustomRuleView, RulesetView, RuleView } from "../../../../src/workbench/messages.ts";
import { zone } from "../request-state.ts";

/** The rule that is edited; a new one without `rule`. */
export type DraftSubject =
  | { readonly kind: "token"; readonly rule?: RuleView }
  | { readonly kind: "custom"; readonly ruleset: RulesetView; readonly rule?: CustomRuleView };

/** The edited members. */
export interface DraftForm {
  readonly title: string;
  readonly action: string;
  readonly enabled: boolean;
  readonly expression: string;
  /** Hosts of the selector, one a line. */
  readonly hosts: string;
  /** Ids of the operations that the selector leaves out. */
  readonly excluded: readonly string[];
  /** Parameters of the action of a custom rule, as JSON. */
  readonly parameters: string;
}

const emptyForm: DraftForm = {
  title: "",
  action: "block",
  enabled: true,
  expression: "",
  hosts: "",
  excluded: [],
  parameters: "",
};

/** The form of a stored rule; of a new token rule, one that covers every host of the zone's operations. */
export function formOf(subject: DraftSubject): DraftForm {
  if (subject.kind === "custom") return { ...emptyForm, ...picked(subject.rule) };
  const { rule } = subject;
  const known = zone.value?.operations?.map(({ host }) => host) ?? [];
  const hosts = rule?.selector.hosts ?? [...new Set(known)];
  return {
    ...emptyForm,
    ...picked(rule),
    hosts: hosts.join("\n"),
    excluded: rule?.selector.excluded ?? [],
  };
}

function picked(rule: RuleView | CustomRuleView | undefined): Partial<DraftForm> {
  if (rule === undefined) return {};
  const { title, action, enabled, expression } = rule;
  const parameters = "parameters" in rule ? rule.parameters : "";
  return { title, action, enabled, expression, parameters };
}

/** The members of the draft in a message to the server part. */
export function draftOf(subject: DraftSubject, form: DraftForm): Readonly<Record<string, unknown>> {
  const before = formOf(subject);
  const isNew = subject.rule === undefined;
  const changed = (...names: readonly (keyof DraftForm)[]) =>
    isNew || names.some((name) => String(before[name]) !== String(form[name]));
  const { title, action, enabled, expression, parameters, excluded } = form;
  const hosts = form.hosts.split(/[\s,]+/).filter((host) => host !== "");
  return {
    ...(subject.rule && { rule: subject.rule.id }),
    ...(subject.kind === "custom" && { ruleset: subject.ruleset.id }),
    expression,
    ...(changed("title") && { title: title.trim() }),
    ...(changed("action") && { action }),
    ...(changed("enabled") && { enabled }),
    ...(subject.kind === "token" && changed("hosts", "excluded") && { selector: { hosts, excluded } }),
    ...(subject.kind === "custom" && changed("parameters") && { parameters }),
  };
}

/** Whether something differs from the stored rule; a new rule needs an expression. */
export function isChanged(subject: DraftSubject, form: DraftForm): boolean {
  if (subject.rule === undefined) return form.expression.trim() !== "";
  return JSON.stringify(form) !== JSON.stringify(formOf(subject));
}
