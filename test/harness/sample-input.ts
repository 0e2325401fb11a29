import type { JsonSchema } from '#platform/openapi.ts';

/** Where a value stands in a body: `['rule', 'zones', 0]`. */
export type InputPath = readonly (string | number)[];

const byName: Record<string, unknown> = {
  email: 'somebody@example.org',
  timezone: 'Europe/Berlin',
  zone: 'Europe/Berlin',
  locale: 'en-GB',
  url: 'https://calendar.example.org/x.ics',
  password: 'violet anchor seventeen',
  new_password: 'violet anchor seventeen',
};

/** Some value of a schema, every optional part included: near enough to be refused for one thing at a time. */
export function sampleOf(schema: JsonSchema, name = ''): unknown {
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [choice] = [schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []].flat() as JsonSchema[];
  if (choice !== undefined) return sampleOf(choice, name);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([key, one]) => [
          key,
          sampleOf(one, key),
        ]),
      );
    case 'array':
      return [sampleOf((schema.items ?? {}) as JsonSchema, name)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return byName[name] ?? sampleText(schema);
  }
}

function sampleText({ format, pattern }: JsonSchema): string {
  if (format === 'uuid') return '0190a6de-5b7f-7cc5-8d5d-000000000001';
  if (format === 'date-time') return '2027-03-08T10:00:00Z';
  if (pattern === '^[0-9]{6}$') return '000000';
  if (pattern === '^#[0-9a-f]{6}$') return '#336699';
  return 'x';
}

/** Every place in a value that holds something plain. */
export function leavesOf(value: unknown, path: InputPath = []): InputPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, one]) =>
    leavesOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** A copy with another value in one place. */
export function withValue(value: unknown, [key, ...rest]: InputPath, put: unknown): unknown {
  if (key === undefined) return put;
  const inner = withValue((value as Record<string, unknown>)[key], rest, put);
  if (Array.isArray(value)) return value.with(key as number, inner);
  return { ...(value as object), [key]: inner };
}
