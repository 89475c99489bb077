/** The token rules of a zone, with the titles that the page shows in place of ids. */
import type { Edge } from "../../edge.ts";
import type { ConfigView, RuleView, ZoneView } from "../messages.ts";

/** Reads a zone. @throws {ApiError} when it does not exist */
export async function viewOfZone(edge: Edge, id: string): Promise<ZoneView> {
  const { name, input } = await edge.tokens.drafts.read(id);
  return {
    id,
    name: name ?? id,
    configs: input.configs.map(
      ({ id, title, token_sources: sources }): ConfigView => ({ id, title, sources }),
    ),
    rules: input.rules.map(({ id, title, action, enabled, expression, selector }): RuleView => {
      const hosts = (selector.include ?? []).flatMap(({ host = [] }) => host);
      return { id, title, action, enabled, expression, hosts };
    }),
    operations: input.operations?.length ?? null,
  };
}
