import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';

/** Generates TypeScript and SQL from the catalog of the migrated database. Both are committed; tests compare. */

const root = join(import.meta.dirname, '..');
/** Not ours to describe: the system's, the job library's and the migrator's own. */
const foreignSchemas = ['pg_catalog', 'information_schema', 'pg_toast', 'jobs', 'platform_migrations'];
/** Modules whose exported types a column comment `@type Name` may mean. */
const typeModules = ['kernel/ids.ts', 'kernel/event.ts', 'kernel/mirror-identity.ts'];

interface Column {
  schema: string;
  table: string;
  view: boolean;
  name: string;
  type: string;
  isArray: boolean;
  sqlType: string;
  notNull: boolean;
  hasDefault: boolean;
  generated: boolean;
  alwaysIdentity: boolean;
  identity: boolean;
  expression: string | null;
  comment: string | null;
  tableComment: string | null;
  /** Definition of the check on this column alone that lists its values. */
  check: string | null;
}

async function readColumns(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select n.nspname as schema, c.relname as table, c.relkind in ('v', 'm') as view, a.attname as name,
           coalesce(e.typname, t.typname) as type, e.typname is not null as "isArray",
           format_type(a.atttypid, a.atttypmod) as "sqlType", a.attnotnull as "notNull",
           a.atthasdef or a.attidentity <> '' as "hasDefault", a.attgenerated <> '' as generated,
           a.attidentity = 'a' as "alwaysIdentity", a.attidentity <> '' as identity,
           pg_get_expr(d.adbin, d.adrelid) as expression, col_description(c.oid, a.attnum) as comment,
           obj_description(c.oid, 'pg_class') as "tableComment",
           (select pg_get_constraintdef(k.oid) from pg_constraint k
             where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
               and pg_get_constraintdef(k.oid) like '%ANY (ARRAY[%' order by k.conname limit 1) as check
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      join pg_namespace n on n.oid = c.relnamespace
      join pg_type t on t.oid = a.atttypid
      left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
       and n.nspname <> all (${foreignSchemas}) and n.nspname not like 'pg\_%'
       and not exists (select 1 from pg_depend x where x.objid = c.oid and x.deptype = 'e')
     order by n.nspname, c.relname, a.attnum`.execute(db);
  return rows;
}

const typescriptOf: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Temporal.PlainDate',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  timestamptz: 'Temporal.Instant',
};

/** Text in TypeScript: numeric (exact), uuid, ranges, time, inet and all else the driver leaves alone. */
function scalarType(column: Column): string {
  return typescriptOf[column.type] ?? 'string';
}

function valuesOf(check: string): string[] {
  return [...check.matchAll(/'((?:[^']|'')*)'::text/g)].map((match) => (match[1] ?? '').replaceAll("''", "'"));
}

function namedType(column: Column): string | undefined {
  return /@type (\w+)/.exec(column.comment ?? '')?.[1];
}

function columnType(column: Column): string {
  const values = column.check !== null && column.type === 'text' && !column.isArray ? valuesOf(column.check) : [];
  const literals = values.map((value) => `'${value.replaceAll("'", "\\'")}'`).join(' | ');
  const base = namedType(column) ?? (literals === '' ? scalarType(column) : literals);
  const listed = column.isArray ? `${/[ |]/.test(base) ? `(${base})` : base}[]` : base;
  const nullable = column.notNull || listed === 'unknown' ? listed : `${listed} | null`;
  if (column.view) return nullable;
  if (column.generated || column.alwaysIdentity) return `GeneratedAlways<${nullable}>`;
  return column.hasDefault ? `Generated<${nullable}>` : nullable;
}

function interfaceName(column: Column): string {
  return `${column.schema}_${column.table}`.replace(/(^|_)([a-z0-9])/g, (_, __, letter: string) =>
    letter.toUpperCase(),
  );
}

function property(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}

function importLines(columns: readonly Column[]): string[] {
  const wanted = new Set(columns.map(namedType).filter((name) => name !== undefined));
  const lines: string[] = [];
  for (const module of typeModules) {
    const text = readFileSync(join(root, 'src', module), 'utf8');
    const here = [...wanted].filter((name) => new RegExp(`export (type|interface) ${name}\\b`).test(text)).sort();
    for (const name of here) wanted.delete(name);
    if (here.length === 0) continue;
    const line = `import type { ${here.join(', ')} } from '#${module}';`;
    lines.push(
      line.length <= 120 ? line : `import type {\n${here.map((name) => `  ${name},\n`).join('')}} from '#${module}';`,
    );
  }
  if (wanted.size > 0)
    throw new Error(`no exported type for @type ${[...wanted].join(', ')} in ${typeModules.join(', ')}`);
  return lines;
}

/** As the formatter has it: what is too long for a line has one for each alternative. */
function propertyLine(column: Column): string {
  const [name, type] = [property(column.name), columnType(column)];
  const line = `  ${name}: ${type};`;
  return line.length <= 120
    ? line
    : `  ${name}:\n${type
        .split(' | ')
        .map((one) => `    | ${one}`)
        .join('\n')};`;
}

/** `src/platform/db-types.ts`. */
export async function renderTables(db: Database): Promise<string> {
  const columns = await readColumns(db);
  const tables = Map.groupBy(columns, (column) => `${column.schema}.${column.table}`);
  const bodies = [...tables.values()].map((own) => {
    const first = own[0] as Column;
    const lines = own.map(propertyLine);
    return `export interface ${interfaceName(first)} {\n${lines.join('\n')}\n}\n`;
  });
  const entries = [...tables].map(([name, own]) => `  '${name}': ${interfaceName(own[0] as Column)};`);
  return [
    '// Made from the migrations by `npm run db:types`. Do not edit.',
    `import type { ${kyselyImports(bodies.join(''))} } from 'kysely';`,
    ...importLines(columns),
    '',
    ...bodies,
    `export interface Tables {\n${entries.join('\n')}\n}\n`,
  ].join('\n');
}

function kyselyImports(text: string): string {
  return ['Generated', 'GeneratedAlways'].filter((name) => text.includes(`${name}<`)).join(', ');
}

/** `migrations/schema.sql`: for reading and for reviewing what a migration does, not for running. */
export async function renderSchema(db: Database): Promise<string> {
  const columns = await readColumns(db);
  const definitions = await readDefinitions(db);
  const extensions = await sql<{ name: string }>`
    select extname as name from pg_extension where extname <> 'plpgsql' order by 1`.execute(db);
  const out: string[] = ['-- What the migrations add up to, made by `npm run db:types`. Do not edit.', ''];
  for (const { name } of extensions.rows) out.push(`create extension ${name};`);
  const schemas = Map.groupBy(columns, (column) => column.schema);
  for (const [schema, inSchema] of schemas) {
    out.push('', `create schema ${schema};`);
    for (const [table, own] of Map.groupBy(inSchema, (column) => column.table)) {
      const here = definitions.filter((entry) => entry.schema === schema && entry.table === table);
      const parts = (kind: string) => here.filter((entry) => entry.kind === kind).map((entry) => entry.definition);
      if (own[0]?.view === true) {
        out.push('', `create view ${schema}.${table} as\n${parts('view').join('')}`);
        continue;
      }
      const lines = [...own.map(columnLine), ...parts('constraint')].map((line) => `  ${line}`);
      out.push('', `create table ${schema}.${table} (\n${lines.join(',\n')}\n);`);
      for (const definition of [...parts('index'), ...parts('trigger')]) out.push(`${definition};`);
      const told = own[0]?.tableComment ?? null;
      if (told !== null) out.push(`comment on table ${schema}.${table} is '${told.replaceAll("'", "''")}';`);
      for (const column of own) {
        if (column.comment === null) continue;
        out.push(`comment on column ${schema}.${table}.${column.name} is '${column.comment.replaceAll("'", "''")}';`);
      }
    }
    for (const entry of definitions.filter((found) => found.schema === schema && found.kind === 'function')) {
      out.push('', `${entry.definition.trimEnd()};`);
    }
  }
  return `${out.join('\n')}\n`;
}

function columnLine(column: Column): string {
  const parts = [column.name, column.sqlType];
  if (column.identity) parts.push(`generated ${column.alwaysIdentity ? 'always' : 'by default'} as identity`);
  if (column.generated) parts.push(`generated always as (${column.expression}) stored`);
  else if (column.expression !== null) parts.push(`default ${column.expression}`);
  if (column.notNull) parts.push('not null');
  return parts.join(' ');
}

interface Definition {
  schema: string;
  table: string;
  kind: 'constraint' | 'index' | 'trigger' | 'view' | 'function';
  definition: string;
}

async function readDefinitions(db: Database): Promise<Definition[]> {
  const { rows } = await sql<Definition>`
    with ours as (
      select c.oid, n.nspname as schema, c.relname as table, c.relkind
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname <> all (${foreignSchemas}) and n.nspname not like 'pg\_%'
    )
    select schema, "table", 'constraint' as kind, 'constraint ' || conname || ' ' || pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join ours on ours.oid = k.conrelid where k.contype <> 'n'
    union all
    select schema, "table", 'index', pg_get_indexdef(i.indexrelid)
      from pg_index i join ours on ours.oid = i.indrelid
     where not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = i.indrelid)
    union all
    select schema, "table", 'trigger', pg_get_triggerdef(g.oid)
      from pg_trigger g join ours on ours.oid = g.tgrelid where not g.tgisinternal
    union all
    select schema, "table", 'view', pg_get_viewdef(oid, true) from ours where relkind in ('v', 'm')
    union all
    select n.nspname, '', 'function', pg_get_functiondef(p.oid)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname <> all (${foreignSchemas}) and n.nspname not like 'pg\_%'
       and not exists (select 1 from pg_depend x where x.objid = p.oid and x.deptype = 'e')
     order by 1, 2, 3, 4`.execute(db);
  return rows;
}
