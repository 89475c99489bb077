/** Which account a zone belongs to. */

/** The account of zones without `account_id`, unless there is exactly one account. */
const defaultAccount = "default";

/** The account of a zone in a world or a store with these accounts. */
export function accountOfZone(accountId: string | undefined, accounts: readonly string[]): string {
  return accountId ?? (accounts.length === 1 && accounts[0] !== undefined ? accounts[0] : defaultAccount);
}
