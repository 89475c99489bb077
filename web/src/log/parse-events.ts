/** Splits a stream of server-sent events into the data of each. */

/** The data of complete events, and the text after the last of them. */
export interface ParsedEvents {
  readonly events: readonly string[];
  readonly rest: string;
}

/** Comments are left out. */
export function parseEvents(text: string): ParsedEvents {
  const blocks = text.split("\n\n");
  const rest = blocks.pop() ?? "";
  const events = blocks.flatMap((block) => {
    const data = block.split("\n").filter((line) => line.startsWith("data:"));
    return data.length === 0 ? [] : [data.map((line) => line.slice(5).trimStart()).join("\n")];
  });
  return { events, rest };
}
