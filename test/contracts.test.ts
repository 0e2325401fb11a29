import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Contract, Endpoint } from '#kernel/contract.ts';
import { pathParameters } from '#kernel/contract.ts';
import { type JsonSchema, wireSchema } from '#platform/openapi.ts';

const featuresDir = join(import.meta.dirname, '../src/features');

/** Every endpoint of every `contract.ts`, also of features that nobody serves yet. */
async function listEndpoints(): Promise<{ where: string; endpoint: Endpoint }[]> {
  const names = await readdir(featuresDir);
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(featuresDir, name, 'contract.ts');
      const isThere = await readFile(path).then(
        () => true,
        () => false,
      );
      if (!isThere) return [];
      const module = (await import(path)) as Record<string, Contract>;
      const contract = module[`${name}Contract`];
      if (!contract) throw new Error(`${path} exports no ${name}Contract`);
      return Object.entries(contract).map(([key, endpoint]) => ({ where: `${name}.${key}`, endpoint }));
    }),
  );
  return found.flat();
}

const endpoints = await listEndpoints();

test('the contract scan finds endpoints', () => {
  expect(endpoints.length).toBeGreaterThan(20);
});

/** Paths of the objects in a schema that let unknown keys through. */
function looseObjects(schema: JsonSchema, path: string): string[] {
  const parts = Object.entries(schema).flatMap(([key, value]) =>
    [value]
      .flat()
      .flatMap((one) =>
        typeof one !== 'object' || one === null
          ? []
          : key === 'properties'
            ? Object.entries(one as Record<string, JsonSchema>).flatMap(([name, inner]) =>
                looseObjects(inner, `${path}.${name}`),
              )
            : looseObjects(one as JsonSchema, path),
      ),
  );
  return schema.type === 'object' && schema.additionalProperties === undefined ? [path, ...parts] : parts;
}

test('every input schema refuses unknown keys', () => {
  for (const { where, endpoint } of endpoints) {
    for (const part of ['params', 'query', 'body'] as const) {
      const schema = endpoint[part];
      if (schema) expect(looseObjects(wireSchema(schema), part), where).toEqual([]);
    }
  }
});

test('the check for unknown keys finds loose objects at any depth', () => {
  const loose = z.strictObject({ a: z.optional(z.array(z.union([z.string(), z.object({ b: z.string() })]))) });
  expect(looseObjects(wireSchema(loose), 'body')).toEqual(['body.a']);
  expect(looseObjects(wireSchema(z.strictObject({ a: z.record(z.string(), z.int()) })), 'body')).toEqual([]);
});

/** Wrong in any field of text or of a path: NUL, which PostgreSQL cannot store, and half of a character. */
const unstorable = ['\u0000', '\ud800'].flatMap((sign) => [
  `a${sign}b`,
  `a${sign}b@example.org`,
  `https://example.org/a${sign}b`,
  `/a${sign}b`,
]);
const unstorableParts = [...unstorable, 'a\nb', 'a\u001fb', 'a\u007fb'];
/** The last instant that any contract takes; a column of 64 bits has it. */
const lastInstantMs = 4_133_980_799_999;

/** Values that an input takes and its column does not: the database refuses them, as a fault of ours. */
function misfits(schema: z.core.$ZodType, path: string, isPath = false): string[] {
  const takes = (value: unknown) => z.safeDecode(schema as z.ZodMiniType, value as never).success;
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'string':
    case 'pipe': {
      // hashed byte for byte, and kept in no column
      if (path.endsWith('password')) return [];
      const decoded = z.safeDecode(schema as z.ZodMiniType, '0190A6DE-5B7F-7CC5-8D5D-000000000001' as never);
      const isId = 'format' in def && def.format === 'uuid';
      return [
        ...(isPath ? unstorableParts : unstorable).filter(takes).map((one) => `${path} takes ${JSON.stringify(one)}`),
        ...(isId && decoded.data !== '0190a6de-5b7f-7cc5-8d5d-000000000001' ? [`${path} keeps capital letters`] : []),
      ];
    }
    case 'number': {
      const isInstant = takes(lastInstantMs) && !takes(lastInstantMs + 1);
      const isWhole = 'format' in def && def.format === 'safeint';
      const tooLarge = isInstant ? [] : (isWhole ? [2 ** 31, -(2 ** 31) - 1] : [1e308, -1e308]).filter(takes);
      return tooLarge.map((one) => `${path} takes ${one}`);
    }
    case 'object':
      return Object.entries(def.shape).flatMap(([key, one]) => misfits(one, `${path}.${key}`, isPath));
    case 'array':
      return misfits(def.element, `${path}[]`, isPath);
    case 'record':
      return [...misfits(def.keyType, `${path} key`), ...misfits(def.valueType, `${path}{}`)];
    case 'union':
      return def.options.flatMap((one) => misfits(one, path, isPath));
    case 'optional':
    case 'nullable':
    case 'default':
      return misfits(def.innerType, path, isPath);
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'custom':
      return [];
    default:
      return [`${path} is a ${def.type}, which this test does not know`];
  }
}

test('every field of an input refuses values that its column cannot store', () => {
  const found = endpoints.flatMap(({ where, endpoint: { params, query, body } }) => [
    ...(params ? misfits(params, `${where} params`, true) : []),
    ...(query ? misfits(query, `${where} query`) : []),
    ...(body ? misfits(body, `${where} body`) : []),
  ]);
  expect(found).toEqual([]);
});

test('the check of input fields finds a bare string, integer, number and UUID at any depth', () => {
  const bare = z.strictObject({
    a: z.optional(z.array(z.union([z.string(), z.strictObject({ b: z.int() })]))),
    c: z.nullable(z.number()),
    d: z.uuid(),
  });
  const found = misfits(bare, 'body').map((one) => one.split(' ').slice(0, 2).join(' '));
  expect([...new Set(found)]).toEqual(['body.a[] takes', 'body.a[].b takes', 'body.c takes', 'body.d keeps']);
});

test('every JSON file is documented with its form', () => {
  const files = endpoints.filter(({ endpoint }) => /json/.test(endpoint.sendsFile ?? ''));
  expect(files).not.toEqual([]);
  for (const { where, endpoint } of files) expect(endpoint.fileShape, where).toBeDefined();
});

test('a public call that takes more than 16 KB takes an allowance before the body is read', () => {
  const large = endpoints.filter(({ endpoint: { auth, bodyLimit = 0 } }) => auth === 'public' && bodyLimit > 16_384);
  expect(large.length).toBeGreaterThan(1);
  expect(large.filter(({ endpoint }) => endpoint.allowance === undefined).map(({ where }) => where)).toEqual([]);
});

test('every path names exactly its declared parameters', () => {
  for (const { where, endpoint } of endpoints) {
    const declared = endpoint.params ? Object.keys((wireSchema(endpoint.params).properties ?? {}) as object) : [];
    expect(declared.toSorted(), where).toEqual(pathParameters(endpoint.path).toSorted());
  }
});

test('no GET endpoint has a request body', () => {
  for (const { where, endpoint } of endpoints)
    if (endpoint.method === 'GET') expect(endpoint.body, where).toBeUndefined();
});

test('no two endpoints have the same method and path', () => {
  const addresses = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path.replace(/\{[^}]+\}/g, '{}')}`);
  expect(addresses.length).toBe(new Set(addresses).size);
});

test('every text and list in a request body has a maximum length', () => {
  const unbounded = (schema: JsonSchema, path: string): string[] => {
    const own =
      schema.type === 'string' &&
      !('maxLength' in schema || 'format' in schema || 'enum' in schema || 'const' in schema || 'pattern' in schema)
        ? [path]
        : [];
    const lists = schema.type === 'array' && schema.maxItems === undefined ? [`${path}[]`] : [];
    const inner = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, one]) =>
      unbounded(one, `${path}.${name}`),
    );
    const others = ['items', 'anyOf', 'oneOf', 'allOf'].flatMap((key) =>
      [schema[key] ?? []].flat().flatMap((one) => unbounded(one as JsonSchema, path)),
    );
    return [...own, ...lists, ...inner, ...others];
  };
  const found = endpoints.flatMap(({ where, endpoint }) =>
    endpoint.body ? unbounded(wireSchema(endpoint.body), where) : [],
  );
  expect(found).toEqual([]);
});

test('the API reference names the unit of times that are numbers', () => {
  const units = (where: string) => {
    const endpoint = endpoints.find((one) => one.where === where)?.endpoint;
    if (endpoint === undefined) throw new Error(`${where} is not served`);
    const { query, body, output } = endpoint;
    return [query, body, output].flatMap((schema) => (schema === undefined ? [] : unitsIn(wireSchema(schema), '')));
  };
  expect(units('booking.listSlots')).toEqual([
    '.from: epoch minutes',
    '.to: epoch minutes',
    '.starts: epoch minutes',
    '.next: epoch minutes',
  ]);
  expect(units('booking.createBooking')).toContain('.start: epoch minutes');
  expect(units('calendar.teamBusy')).toEqual([
    '.members.away.start: epoch milliseconds',
    '.members.away.end: epoch milliseconds',
    '.members.busy.start: epoch milliseconds',
    '.members.busy.end: epoch milliseconds',
  ]);
});

function unitsIn(schema: JsonSchema, path: string): string[] {
  const own = typeof schema.description === 'string' ? [`${path}: ${schema.description}`] : [];
  const inside = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, one]) =>
    unitsIn(one, `${path}.${name}`),
  );
  const others = [schema.items, schema.anyOf, schema.allOf]
    .flat()
    .flatMap((one) => (typeof one === 'object' && one !== null ? unitsIn(one as JsonSchema, path) : []));
  return [...own, ...inside, ...others];
}
