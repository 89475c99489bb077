/** The pictures that docs/logos.md shows as not found are not found, and those beside them are. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { compileLogo, findLogos } from "../../../src/entries/brand.ts";

async function scoreIn(picture: string): Promise<number | undefined> {
  const logo = await compileLogo(await readFile("docs/pictures/logo.png"));
  if (!logo.ok) throw new Error(logo.problems[0].message);
  const found = await findLogos(await readFile(`docs/pictures/${picture}`), [logo.value]);
  if (!found.ok) throw new Error(found.problems[0].message);
  return found.value.findings[0]?.score;
}

test.each(["logo-rotated.png", "logo-cut.png", "logo-tiny.png", "logo-white-on-photo.jpg"])(
  "%s is not found",
  async (picture) => {
    expect(await readFile("docs/logos.md", "utf8")).toContain(`](pictures/${picture})`);
    expect(await scoreIn(picture)).toBeLessThan(0.75);
  },
);

test("an inverted logo is found", async () => {
  expect(await scoreIn("logo-inverted.png")).toBeGreaterThan(0.85);
});
