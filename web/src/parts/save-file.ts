/** Saves a text as a file of the person at the page. */

/** Saves it under a name, as the browser saves downloads. */
export function saveFile(name: string, text: string): void {
  const type = name.endsWith(".json") ? "application/json" : "text/plain";
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}
