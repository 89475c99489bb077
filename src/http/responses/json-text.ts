/** JSON bodies of any length: long lists are written in steps, so that other requests are answered between them. */

/** Elements of a list that are written at once. */
const maxElements = 100;
/** Levels of objects in which a long list is looked for: of an envelope, and of its result. */
const maxLevels = 2;
/** Length of the text that is written in a step, in UTF-16 units: about a millisecond. `chosen` */
const stepLength = 1 << 18;

/** The text of a value of JSON data as `JSON.stringify` writes it, or its UTF-8 bytes when it has a long list. */
export async function jsonBody(value: unknown): Promise<string | Uint8Array<ArrayBuffer>> {
  if (!hasLongList(value, 0)) return JSON.stringify(value);
  const chunks: Buffer[] = [];
  let text = "";
  for (const piece of pieces(value, 0)) {
    text += piece;
    if (text.length < stepLength) continue;
    chunks.push(Buffer.from(text));
    text = "";
    await new Promise((resume) => setImmediate(resume));
  }
  return Buffer.concat([...chunks, Buffer.from(text)]);
}

function hasLongList(value: unknown, level: number): boolean {
  if (isLongList(value)) return true;
  return isDivided(value, level) && Object.values(value).some((member) => hasLongList(member, level + 1));
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > maxElements;
}

/** Whether the members of an object are written one by one. */
function isDivided(value: unknown, level: number): value is object {
  return level < maxLevels && typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a value with a long list. */
function* pieces(value: unknown, level: number): Generator<string, void, undefined> {
  if (isLongList(value)) {
    yield "[";
    for (const [i, element] of value.entries())
      yield `${i === 0 ? "" : ","}${JSON.stringify(element) ?? "null"}`;
    yield "]";
    return;
  }
  let separator = "{";
  for (const [name, member] of Object.entries(value as object)) {
    const isLong = hasLongList(member, level + 1);
    const text = isLong ? "" : JSON.stringify(member);
    // A member without JSON text is left out.
    if (text === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:${text}`;
    separator = ",";
    if (isLong) yield* pieces(member, level + 1);
  }
  yield "}";
}
