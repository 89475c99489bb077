/** The hosts that a template of hosts matches, as a DFA. */

import { hostVariable } from "../../zone/host-template.ts";
import { type Dfa, deadState } from "./dfa.ts";

/** Accepts the hosts that a template in normal form matches. */
export function hostTemplateDfa(template: string): Dfa {
  const labels = template.split(".");
  // A state is the index of a label times `stride`, plus the number of characters read of it; of a variable 0 or 1.
  const stride = Math.max(...labels.map(({ length }) => length)) + 1;
  const isComplete = (label: string | undefined, read: number) =>
    label === hostVariable ? read === 1 : read === label?.length;

  function step(state: number, unit: string): number {
    if (state === deadState) return deadState;
    const [index, read] = [Math.trunc(state / stride), state % stride];
    const label = labels[index];
    if (unit === ".")
      return isComplete(label, read) && index + 1 < labels.length ? (index + 1) * stride : deadState;
    if (label === hostVariable) return index * stride + 1;
    return label?.[read] === unit ? state + 1 : deadState;
  }

  return {
    start: 0,
    step,
    output: (state) => {
      if (state === deadState) return 0;
      const index = Math.trunc(state / stride);
      return index === labels.length - 1 && isComplete(labels[index], state % stride) ? 1 : 0;
    },
    units: new Set([".", ...labels.filter((label) => label !== hostVariable).join("")]),
  };
}
