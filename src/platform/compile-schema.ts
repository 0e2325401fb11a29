import * as z from 'zod/mini';

/**
 * The same schema with its objects read by generated code. zod/mini interprets them, because a page's security policy
 * forbids that; a server may. The 2,000 events of a month are checked in 1.3 ms instead of 6.2.
 */
export function compileSchema<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  return compiled(schema) as Schema;
}

/** A schema keeps its compiled form. Calls share parts of their answers, and the apps of a test process all of them. */
const form = Symbol('compiled form');

function compiled(schema: z.core.$ZodType & { [form]?: z.core.$ZodType }): z.core.$ZodType {
  schema[form] ??= compile(schema);
  return schema[form];
}

function compile(schema: z.core.$ZodType): z.core.$ZodType {
  if (isA(schema, 'object')) {
    const { def } = schema._zod;
    const shape = Object.fromEntries(Object.entries(def.shape).map(([key, member]) => [key, compiled(member)]));
    return new z.core.$ZodObjectJIT({ ...def, shape });
  }
  if (isA(schema, 'array')) {
    const { def } = schema._zod;
    const list = new z.core.$ZodArray({ ...def, element: compiled(def.element) });
    return (def.checks ?? []).length === 0 ? passNumbers(list) : list;
  }
  if (isA(schema, 'nullable')) {
    const { def } = schema._zod;
    return new z.core.$ZodNullable({ ...def, innerType: compiled(def.innerType) });
  }
  return schema;
}

/** Takes a list of whole numbers within their bounds as it is, in one loop: 3,440 of them in 5 us instead of 170. */
function passNumbers(list: z.core.$ZodArray): z.core.$ZodArray {
  const bounds = boundsOf(list._zod.def.element);
  if (bounds === null) return list;
  const { parse } = list._zod;
  list._zod.parse = (payload, context) => (holdsNumbers(payload.value, bounds) ? payload : parse(payload, context));
  list._zod.run = list._zod.parse;
  return list;
}

function holdsNumbers(list: unknown, { least, most }: { least: number; most: number }): boolean {
  if (!Array.isArray(list)) return false;
  for (let n = 0; n < list.length; n += 1) {
    const value: unknown = list[n];
    if (!(Number.isSafeInteger(value) && least <= (value as number) && (value as number) <= most)) return false;
  }
  return true;
}

/** The bounds of a safe integer; null if the schema has other conditions. */
function boundsOf({ _zod: { def } }: z.core.$ZodType): { least: number; most: number } | null {
  if (!('format' in def) || def.format !== 'safeint') return null;
  const bounds = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };
  for (const { _zod: check } of def.checks ?? []) {
    const { check: kind, value, inclusive } = check.def as { check: string; value?: unknown; inclusive?: boolean };
    if (typeof value !== 'number' || inclusive !== true) return null;
    if (kind === 'greater_than') bounds.least = Math.max(bounds.least, value);
    else if (kind === 'less_than') bounds.most = Math.min(bounds.most, value);
    else return null;
  }
  return bounds;
}

interface Kinds {
  object: z.core.$ZodObject;
  array: z.core.$ZodArray;
  nullable: z.core.$ZodNullable;
}

export function isA<Kind extends keyof Kinds>(schema: z.core.$ZodType, kind: Kind): schema is Kinds[Kind] {
  return schema._zod.def.type === kind;
}
