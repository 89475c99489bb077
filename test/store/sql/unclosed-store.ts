/** A process that writes to a SQLite store and ends without closing it, in the way that its second argument names. */
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";

const [path = "", way] = process.argv.slice(2);
const store = await openSqliteStore({ path });
// A snapshot that stays open, from before the writes, and a transaction that never ends.
void store.read(async (tx) => {
  await tx.count("accounts", "world");
  await new Promise(() => {});
});
for (let i = 0; i < 3; i++)
  await store.write((tx) => tx.insert("accounts", { scope: "world", id: `a${i}`, name: "A" }));
await new Promise<void>((resume) => {
  void store.write(async (tx) => {
    await tx.insert("accounts", { scope: "world", id: "unfinished", name: "A" });
    resume();
    await new Promise(() => {});
  });
});
if (way === "exit") process.exit(3);
if (way === "error") throw new Error("expected by the test");
