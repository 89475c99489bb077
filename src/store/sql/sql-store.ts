/** The storage port over an SQL engine: one adapter, whatever the engine. */

import {
  assertPage,
  assertQuery,
  assertRecord,
  assertSequenceCount,
  assertWhere,
  definitionIn,
  type PlainCondition,
  type PlainQuery,
} from "../argument-checks.ts";
import type { CollectionName } from "../collections.ts";
import {
  type CollectionTable,
  type PlainDefinition,
  plainDefinitions,
  type StoredRecord,
} from "../definition.ts";
import { createLock } from "../lock.ts";
import { countedBy } from "../maintained-counts.ts";
import {
  type BlobStore,
  type Page,
  type ReadTransaction,
  type Store,
  UniqueViolationError,
  type WriteTransaction,
} from "../port.ts";
import { assertOpen, createSessions, type Session } from "../session.ts";
import { claimBlobs, releaseBlobs } from "./blobs/blob-claims.ts";
import type { RunStatement, SqlDialect, SqlEngine, Statement } from "./engines/engine.ts";
import { recordColumn } from "./layout.ts";
import { migrate } from "./migrations.ts";
import { changeCounts, readCount } from "./statements/counts.ts";
import { countRows, windowRows as defaultWindowRows, findRows } from "./statements/keyset-pagination.ts";
import { nextNumbers, sequenceStates } from "./statements/sequences.ts";
import { createStatements, type Statements } from "./statements/statements.ts";

/** A transaction's life, and how it runs statements. */
interface SqlSession extends Session {
  readonly run: RunStatement;
}

/** What blobs need of the store they belong to. */
export interface BlobHost {
  readonly dialect: SqlDialect;
  /** Inside of a transaction, reads in that one. */
  read<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  write<T>(what: string, work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** Runs what touches no database, so that `close` waits for it. */
  aside<T>(what: string, work: () => Promise<T>): Promise<T>;
}

/** Definition and statements of a collection. */
type Find = (collection: string) => { definition: PlainDefinition; statements: Statements };

/** What the operations of all transactions have in common. */
interface Context {
  readonly find: Find;
  readonly dialect: SqlDialect;
  readonly windowRows: number;
}

/** Where blobs are kept, and what is done about them when a store is opened. */
export interface BlobPlace {
  create(host: BlobHost): BlobStore;
  /** Removes what processes that died have left. */
  sweep(engine: SqlEngine): Promise<void>;
}

/**
 * Sets the database up from the collections and gives the store. Closes the engine when it cannot.
 *
 * @param windowRows rows that one statement of a listing or a count looks at
 */
export async function openSqlStore(
  engine: SqlEngine,
  table: CollectionTable,
  blobs: BlobPlace,
  windowRows = defaultWindowRows,
): Promise<Store> {
  const definitions = plainDefinitions(table);
  try {
    await migrate(engine, definitions);
    await blobs.sweep(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const statements = new Map(
    [...definitions.values()].map((d) => [d.name, createStatements(d, engine.dialect)]),
  );
  const find: Find = (collection) => {
    const definition = definitionIn(definitions, collection);
    return { definition, statements: statements.get(collection)! };
  };
  const context: Context = { find, dialect: engine.dialect, windowRows };
  const sessions = createSessions<SqlSession>();
  const life = createLock();

  async function guarded<T>(what: string, work: () => Promise<T>): Promise<T> {
    sessions.assertOutside(what);
    const release = await life.acquire(false);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Makes one attempt at work a session. */
  function inSession<Tx, T>(
    make: (session: SqlSession) => Tx,
    work: (tx: Tx) => Promise<T>,
  ): (run: RunStatement) => Promise<T> {
    return (run) => {
      const session: SqlSession = { open: true, run: guardedRun(() => session, run) };
      return sessions.run(session, () => work(make(session)));
    };
  }

  const read: Store["read"] = (work) =>
    guarded("a transaction", () =>
      engine.read(inSession((session) => readOperations(session, context), work)),
    );
  const write: Store["write"] = (work) =>
    guarded("a transaction", () =>
      engine.write(inSession((session) => writeOperations(session, context), work)),
    );
  const host: BlobHost = {
    dialect: engine.dialect,
    read: (work) => {
      const session = sessions.current();
      return session ? work(session.run) : guarded("a blob", () => engine.read(work));
    },
    write: (what, work) => guarded(what, () => engine.write(work)),
    aside: (what, work) => guarded(what, work),
  };

  let closing: Promise<void> | undefined;
  return {
    read,
    write,
    blobs: blobs.create(host),
    close: () => {
      sessions.close();
      closing ??= life.acquire(true).then(() => engine.close());
      return closing;
    },
  };
}

function guardedRun(session: () => Session, run: RunStatement): RunStatement {
  return async (statement) => {
    assertOpen(session());
    return run(statement);
  };
}

function records(rows: readonly Readonly<Record<string, unknown>>[]): never[] {
  return rows.map((row) => JSON.parse(row[recordColumn] as string)) as never[];
}

function readOperations({ run }: SqlSession, { find, dialect, windowRows }: Context): ReadTransaction {
  return {
    get: async (collection, scope, id) => {
      const { statements } = find(collection);
      return records((await run(statements.get(scope, id))).rows)[0] as never;
    },
    find: async (collection, scope, query = {}) => {
      const { definition, statements } = find(collection);
      assertQuery(definition, query as PlainQuery);
      return records(await findRows({ run, statements, definition, scope, windowRows }, query as PlainQuery));
    },
    count: async (collection, scope, given = []) => {
      const { definition, statements } = find(collection);
      const where = given as readonly PlainCondition[];
      assertWhere(definition, where);
      const fields = countedBy(definition, where);
      if (!fields) return countRows({ run, statements, definition, scope, windowRows }, where);
      const kept = statements.countedValues(scope, fields, where);
      return readCount(run, dialect, collection, fields, kept);
    },
    scopes: async (collection, page = {}) => {
      const { statements } = find(collection);
      assertPage(page);
      return scopesFrom(run, statements, page);
    },
    sequences: async (page = {}) => {
      assertPage(page);
      return sequenceStates(run, dialect, page);
    },
  };
}

/** One statement a scope, each of which enters the index: how many records a scope has does not matter. */
async function scopesFrom(
  run: RunStatement,
  statements: Statements,
  { after, limit = Number.POSITIVE_INFINITY }: Page<string>,
): Promise<string[]> {
  const found: string[] = [];
  while (found.length < limit) {
    const { rows } = await run(statements.nextScope(found.at(-1) ?? after));
    const [first] = records(rows) as StoredRecord[];
    if (!first) break;
    found.push(first.scope);
  }
  return found;
}

function writeOperations(session: SqlSession, context: Context): WriteTransaction {
  const { run } = session;
  const { find, dialect } = context;
  const reads = readOperations(session, context);

  /** Runs a statement that adds (1) or removes (-1) records, counts them, and says how many there were. */
  async function changing(definition: PlainDefinition, by: 1 | -1, statement: Statement): Promise<number> {
    const { rows, changed } = await run(statement);
    if (definition.counted.length === 0) return changed;
    await changeCounts(run, dialect, definition, [{ rows, by }]);
    return rows.length;
  }

  /** The first of the combinations that another record holds. */
  async function takenBy(collection: string, record: StoredRecord): Promise<readonly string[] | undefined> {
    const { definition, statements } = find(collection);
    for (const fields of definition.unique) {
      const holder = statements.holder(record, fields);
      if (holder && (await run(holder)).rows.length > 0) return fields;
    }
    return undefined;
  }

  async function update(
    definition: PlainDefinition,
    statements: Statements,
    record: StoredRecord,
  ): Promise<boolean> {
    if (definition.counted.length === 0) return (await run(statements.update(record))).changed > 0;
    const { rows } = await run(statements.countedOf(record.scope, record.id));
    if ((await run(statements.update(record))).changed === 0) return false;
    const after = { rows: [statements.countedIn(record)], by: 1 };
    await changeCounts(run, dialect, definition, [{ rows, by: -1 }, after]);
    return true;
  }

  return {
    ...reads,
    insert: async (collection, record) => {
      const { definition, statements } = find(collection);
      assertRecord(definition, record);
      if ((await changing(definition, 1, statements.insert([record]))) > 0) return;
      const there = await reads.get(collection, record.scope, record.id);
      throw new UniqueViolationError(collection, there ? ["id"] : (await takenBy(collection, record))!);
    },
    insertMissing: async (collection, given) => {
      const { definition, statements } = find(collection);
      for (const record of given) assertRecord(definition, record);
      let added = 0;
      for (let from = 0; from < given.length; from += statements.maxBatch) {
        const batch = given.slice(from, from + statements.maxBatch);
        added += await changing(definition, 1, statements.insert(batch));
      }
      return added;
    },
    replace: async (collection, record) => {
      const { definition, statements } = find(collection);
      assertRecord(definition, record);
      const taken = await takenBy(collection, record);
      if (!taken) return update(definition, statements, record);
      if (await reads.get(collection, record.scope, record.id))
        throw new UniqueViolationError(collection as CollectionName, taken);
      return false;
    },
    delete: async (collection, scope, id) => {
      const { definition, statements } = find(collection);
      return (await changing(definition, -1, statements.delete(scope, id))) > 0;
    },
    deleteWhere: async (collection, scope, where) => {
      const { definition, statements } = find(collection);
      assertWhere(definition, where as readonly PlainCondition[]);
      const { windowRows } = context;
      const some = statements.deleteSome(scope, where as readonly PlainCondition[], windowRows);
      for (let total = 0; ; ) {
        const deleted = await changing(definition, -1, some);
        total += deleted;
        if (deleted < windowRows) return total;
      }
    },
    sequence: async (scope, name, count = 1) => {
      assertSequenceCount(count);
      const { rows } = await run(nextNumbers(dialect, scope, name, count));
      return Number(rows[0]!["last"]) - count + 1;
    },
    claimBlobs: (keys) => claimBlobs(run, dialect, keys),
    releaseBlobs: (keys) => releaseBlobs(run, dialect, keys, Date.now()),
  };
}
