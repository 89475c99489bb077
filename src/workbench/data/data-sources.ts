/** The parts of a simulator that the endpoints of a screen need, so that a page can have them without a store. */
import type { Edge } from "../../edge.ts";
import type { RuleDraft } from "../../service/tokens/drafts/check-draft.ts";

/** The part of a simulator that the screen Requests needs: `Edge` has it over a store, the playground over rules in memory. */
export interface TokenEdge {
  /** The parts of the rules that are not known and could change a verdict, each as a sentence; absent where all are known. */
  readonly unknownParts?: (
    zone: string,
    url: string,
    operation: string | undefined,
  ) => Promise<readonly string[]>;
  readonly tokens: Pick<Edge["tokens"], "evaluate" | "drafts"> & {
    readonly rules: {
      create(
        zone: string,
        rule: Omit<RuleDraft, "ruleId"> & { readonly description: string },
      ): Promise<unknown>;
      edit(
        zone: string,
        id: string,
        members: Partial<Omit<RuleDraft, "ruleId">> & { readonly position?: { readonly index: number } },
      ): Promise<unknown>;
      delete(zone: string, id: string): Promise<void>;
    };
  };
}

/** The part of a simulator that the screen Applications needs. */
export interface AppEdge {
  readonly proxy: {
    readonly apps: Pick<
      Edge["proxy"]["apps"],
      "list" | "create" | "replace" | "validate" | "validateReplacement"
    >;
  };
}
