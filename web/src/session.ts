/** The session token, which the address of the page has after `#`. It is kept for this tab only, and never in an address. */

const storageKey = "edgeproof-session";

/** Moves the token from the address to the session storage. @returns whether there was one */
export function takeToken(): boolean {
  const token = location.hash.slice(1);
  if (token === "") return false;
  const isToken = /^[\w-]{32}$/.test(token);
  if (isToken) sessionStorage.setItem(storageKey, token);
  history.replaceState(null, "", location.pathname + location.search);
  return isToken;
}

/** The token of this tab; undefined when the page was opened without one. */
export function sessionToken(): string | undefined {
  return sessionStorage.getItem(storageKey) ?? undefined;
}
