/** The table of the queues in PostgreSQL, and its statements. A row is a message; `visible_at` is when it can be taken. */

/** The columns and their types, as PostgreSQL prints them. */
export const columns = {
  id: "bigint",
  queue: "text",
  key: "text",
  body: "bytea",
  tries: "integer",
  token: "uuid",
  reason: "text",
  put_at: "timestamp with time zone",
  visible_at: "timestamp with time zone",
};

/** Reads the columns of the table `$1`. */
export const columnStatement = `select attname as name, format_type(atttypid, null) as type
  from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`;

/** The table and its indexes in a quoted schema. */
export function createStatements(schema: string): readonly string[] {
  const table = `${schema}.work_queue`;
  return [
    `create schema if not exists ${schema}`,
    `create table if not exists ${table} (
      id bigint generated always as identity primary key,
      queue text not null,
      key text,
      body bytea not null,
      tries integer not null default 0,
      token uuid,
      reason text,
      put_at timestamptz not null default clock_timestamp(),
      visible_at timestamptz not null default clock_timestamp()
    )`,
    `create unique index if not exists work_queue_keys on ${table} (queue, key) where key is not null`,
    `create index if not exists work_queue_next on ${table} (queue, visible_at, id) where reason is null`,
    `create index if not exists work_queue_taken on ${table} (queue, visible_at, id) where reason is null and token is not null`,
    `create index if not exists work_queue_dead on ${table} (queue, id) where reason is not null`,
  ];
}

/** The first message that can be taken and that no other process takes at this moment. */
function nextOf(table: string, condition: string): string {
  return `(select id from ${table} where queue = $1 and reason is null ${condition} and visible_at <= clock_timestamp()
    order by visible_at, id limit 1 for update skip locked)`;
}

/** The statements of the table in a quoted schema. `$1` is the queue, and in those of a delivery the id and its token. */
export function statementsOf(schema: string) {
  const table = `${schema}.work_queue`;
  const mine = "where id = $1 and token = $2";
  const after = (parameter: string) => `clock_timestamp() + ${parameter} * interval '1 millisecond'`;
  return {
    put: `insert into ${table} (queue, key, body) values ($1, $2, $3)
      on conflict (queue, key) where key is not null do nothing`,
    // A message that still has a token was not finished in time: its delivery counts as a try, and it does not wait for
    // those that were put before that time.
    take: `update ${table} set token = $2, visible_at = ${after("$3::float8")},
        tries = tries + (case when token is null then 0 else 1 end)
      where id = coalesce(${nextOf(table, "and token is not null")}, ${nextOf(table, "")})
      returning id, key, body, tries`,
    extend: `update ${table} set visible_at = ${after("$3::float8")} ${mine}`,
    done: `delete from ${table} ${mine}`,
    retry: `update ${table} set token = null, visible_at = ${after("$3::float8")}, tries = tries + $4 ${mine}`,
    bury: `update ${table} set token = null, reason = $3 ${mine}`,
    forgive: `update ${table} set tries = tries - 1 where id = $1 and token is distinct from $2 and tries > 0`,
    status: `select
        count(*) filter (where reason is null and not (token is not null and visible_at > clock_timestamp()))::int as waiting,
        count(*) filter (where reason is null and token is not null and visible_at > clock_timestamp())::int as taken,
        count(*) filter (where reason is not null)::int as dead,
        coalesce(extract(epoch from clock_timestamp() - min(put_at) filter (where reason is null)) * 1000, 0)::float8
          as "oldestMs"
      from ${table} where queue = $1`,
    dead: `select id, key, body, reason from ${table} where queue = $1 and reason is not null order by id limit $2`,
    revive: `update ${table} set reason = null, tries = 0, visible_at = clock_timestamp()
      where queue = $1 and id = $2 and reason is not null`,
    drop: `delete from ${table} where queue = $1 and id = $2 and reason is not null`,
  } as const;
}
