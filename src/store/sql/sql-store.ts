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
} from "../checks.ts";
import type { CollectionName } from "../collections.ts";
import {
  type CollectionTable,
  type PlainDefinition,
  plainDefinitions,
  type StoredRecord,
} from "../definition.ts";
import { createLock } from "../lock.ts";
import {
  type BlobStore,
  type Page,
  type ReadTransaction,
  type Store,
  UniqueViolationError,
  type WriteTransaction,
} from "../port.ts";
import { assertOpen, createSessions, type Session } from "../session.ts";
import type { RunStatement, SqlDialect, SqlEngine } from "./engine.ts";
import { recordColumn } from "./layout.ts";
import { migrate } from "./migrations.ts";
import { nextNumbers, sequenceStates } from "./sequences.ts";
import { createStatements, type Statements } from "./statements.ts";

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

/** Sets the database up from the collections and gives the store. Closes the engine when it cannot. */
export async function openSqlStore(
  engine: SqlEngine,
  table: CollectionTable,
  createBlobs: (host: BlobHost) => BlobStore,
  prepareBlobs: () => Promise<void> = async () => {},
): Promise<Store> {
  const definitions = plainDefinitions(table);
  try {
    await migrate(engine, definitions);
    await prepareBlobs();
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
      engine.read(inSession((session) => readOperations(session, find, engine.dialect), work)),
    );
  const write: Store["write"] = (work) =>
    guarded("a transaction", () =>
      engine.write(inSession((session) => writeOperations(session, find, engine.dialect), work)),
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
    blobs: createBlobs(host),
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

function readOperations({ run }: SqlSession, find: Find, dialect: SqlDialect): ReadTransaction {
  return {
    get: async (collection, scope, id) => {
      const { statements } = find(collection);
      return records((await run(statements.get(scope, id))).rows)[0] as never;
    },
    find: async (collection, scope, query = {}) => {
      const { definition, statements } = find(collection);
      assertQuery(definition, query as PlainQuery);
      return records((await run(statements.find(scope, query as PlainQuery))).rows);
    },
    count: async (collection, scope, where = []) => {
      const { definition, statements } = find(collection);
      assertWhere(definition, where as readonly PlainCondition[]);
      const { rows } = await run(statements.count(scope, where as readonly PlainCondition[]));
      return Number(rows[0]!["count"]);
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

function writeOperations(session: SqlSession, find: Find, dialect: SqlDialect): WriteTransaction {
  const { run } = session;
  const reads = readOperations(session, find, dialect);

  /** The first of the combinations that another record holds. */
  async function takenBy(collection: string, record: StoredRecord): Promise<readonly string[] | undefined> {
    const { definition, statements } = find(collection);
    for (const fields of definition.unique) {
      const holder = statements.holder(record, fields);
      if (holder && (await run(holder)).rows.length > 0) return fields;
    }
    return undefined;
  }

  return {
    ...reads,
    insert: async (collection, record) => {
      const { definition, statements } = find(collection);
      assertRecord(definition, record);
      const { changed } = await run(statements.insert([record]));
      if (changed > 0) return;
      const there = await reads.get(collection, record.scope, record.id);
      throw new UniqueViolationError(collection, there ? ["id"] : (await takenBy(collection, record))!);
    },
    insertMissing: async (collection, given) => {
      const { definition, statements } = find(collection);
      for (const record of given) assertRecord(definition, record);
      let added = 0;
      for (let from = 0; from < given.length; from += statements.maxBatch) {
        const batch = given.slice(from, from + statements.maxBatch);
        added += (await run(statements.insert(batch))).changed;
      }
      return added;
    },
    replace: async (collection, record) => {
      const { definition, statements } = find(collection);
      assertRecord(definition, record);
      const taken = await takenBy(collection, record);
      if (!taken) return (await run(statements.update(record))).changed > 0;
      if (await reads.get(collection, record.scope, record.id))
        throw new UniqueViolationError(collection as CollectionName, taken);
      return false;
    },
    delete: async (collection, scope, id) =>
      (await run(find(collection).statements.delete(scope, id))).changed > 0,
    deleteWhere: async (collection, scope, where) => {
      const { definition, statements } = find(collection);
      assertWhere(definition, where as readonly PlainCondition[]);
      return (await run(statements.deleteWhere(scope, where as readonly PlainCondition[]))).changed;
    },
    sequence: async (scope, name, count = 1) => {
      assertSequenceCount(count);
      const { rows } = await run(nextNumbers(dialect, scope, name, count));
      return Number(rows[0]!["last"]) - count + 1;
    },
  };
}
