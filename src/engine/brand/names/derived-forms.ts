/** Derived forms of a string, each computed at the first use. */
import { skeleton } from "./confusables.ts";

export interface DerivedForms {
  readonly text: string;
  /** See `confusables.ts`. */
  skeleton(): string;
  withoutHyphens(): string;
  withoutDots(): string;
}

/** The derived forms of a string. */
export function derivedFormsOf(text: string): DerivedForms {
  return new LazyForms(text);
}

/** A class: each name with a match needs several, and one object is made faster than an object of closures. */
class LazyForms implements DerivedForms {
  readonly text: string;
  private look: string | undefined;
  private unhyphenated: string | undefined;
  private undotted: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  skeleton(): string {
    this.look ??= skeleton(this.text);
    return this.look;
  }

  withoutHyphens(): string {
    this.unhyphenated ??= withoutCharacter(this.text, "-");
    return this.unhyphenated;
  }

  withoutDots(): string {
    this.undotted ??= withoutCharacter(this.text, ".");
    return this.undotted;
  }
}

/** Removes a character; by slices, since a name has few of it. */
function withoutCharacter(text: string, character: string): string {
  let at = text.indexOf(character);
  if (at < 0) return text;
  let result = "";
  let from = 0;
  for (; at >= 0; at = text.indexOf(character, from)) {
    result += text.slice(from, at);
    from = at + 1;
  }
  return result + text.slice(from);
}

/** Calls `make` at the first call and returns the same value ever after. */
export function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
