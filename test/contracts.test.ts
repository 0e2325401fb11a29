import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

test('the check for unknown keys finds loose objects at any depth', async () => {
  const z = await import('zod/mini');
  const loose = z.strictObject({ a: z.optional(z.array(z.union([z.string(), z.object({ b: z.string() })]))) });
  expect(looseObjects(wireSchema(loose), 'body')).toEqual(['body.a']);
  expect(looseObjects(wireSchema(z.strictObject({ a: z.record(z.string(), z.int()) })), 'body')).toEqual([]);
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
