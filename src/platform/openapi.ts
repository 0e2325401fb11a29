import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { epochMinutes, epochMs, queryMinutes } from '#kernel/codecs.ts';
import { type Endpoint, generalErrors } from '#kernel/contract.ts';
import type { Feature } from './feature.ts';

export type JsonSchema = { [key: string]: unknown };

/** By media type. */
type Content = Record<string, { schema: JsonSchema }>;

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  security: Record<string, never[]>[];
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  'x-codes': string[];
}

export interface OpenApi {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, JsonSchema> };
}

/** The OpenAPI 3.1 document of everything the features serve. */
export function toOpenApi(features: readonly Feature[], publicUrl: string, cookieName: string): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const feature of features) {
    for (const { name, endpoint } of (feature.routes ?? []).flat()) {
      const operation = toOperation(feature.name, name, endpoint);
      paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation };
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Holdfast',
      version: readVersion(),
      description:
        'Times are ISO 8601 in UTC; times that are numbers name their unit, counted from 1970-01-01T00:00:00Z. Unknown keys of a request are refused. A refusal is `{"detail": {"code", "message", "fields"?}}`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: features.filter((feature) => (feature.routes ?? []).flat().length > 0).map(({ name }) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The session token that POST /auth/login answers with.',
        },
        cookie: { type: 'apiKey', in: 'cookie', name: cookieName },
      },
    },
  };
}

function readVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function toOperation(tag: string, name: string, endpoint: Endpoint): Operation {
  const codes = [...(endpoint.errors ?? []), ...Object.keys(generalErrors)];
  const status = endpoint.sendsTo ? 303 : (endpoint.status ?? (isEmpty(endpoint.output) ? 204 : 200));
  return {
    operationId: `${tag}.${name}`,
    tags: [tag],
    summary: endpoint.summary,
    security: endpoint.auth === 'public' ? [] : [{ bearer: [] }, { cookie: [] }],
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
      ...(endpoint.takesIdempotencyKey ? [idempotencyKey] : []),
    ],
    ...(endpoint.body
      ? { requestBody: { required: true, content: contentOf(endpoint.body, endpoint.takesFile) } }
      : {}),
    responses: {
      [status]:
        status === 204 || status === 303
          ? { description: status === 303 ? 'Goes on to another address' : 'Done; no body' }
          : { description: 'Done', content: answerOf(endpoint) },
      default: { description: 'Refused', content: { 'application/json': { schema: errorSchema(codes) } } },
    },
    'x-codes': [...(endpoint.errors ?? [])],
  };
}

const idempotencyKey: Operation['parameters'][number] = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
};

function contentOf(schema: z.ZodMiniType, files: string | readonly string[] | undefined): Content {
  if (files === undefined) return { 'application/json': { schema: wireSchema(schema) } };
  return Object.fromEntries([files].flat().map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

function answerOf({ output, sendsFile, fileShape }: Endpoint): Content {
  return fileShape === undefined ? contentOf(output, sendsFile) : contentOf(fileShape, undefined);
}

function isEmpty(schema: z.ZodMiniType): boolean {
  return schema.def.type === 'void' || schema.def.type === 'undefined';
}

/** The form on the wire: of an input what comes in, of an output what goes out; for a codec both are its input side. */
export function wireSchema(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const unit = units.get(zodSchema);
      if (unit !== undefined) jsonSchema.description = unit;
    },
  }) as JsonSchema;
  return rest;
}

/** Units of numbers that are times. */
const units = new Map<unknown, string>([
  [epochMinutes, 'epoch minutes'],
  [queryMinutes, 'epoch minutes'],
  [epochMs, 'epoch milliseconds'],
]);

function parametersOf(place: 'path' | 'query', schema: z.ZodMiniType | undefined): Operation['parameters'] {
  if (!schema) return [];
  const whole = wireSchema(schema);
  const required = new Set((whole.required as string[] | undefined) ?? []);
  return Object.entries((whole.properties ?? {}) as Record<string, JsonSchema>).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: one,
  }));
}

function errorSchema(codes: string[]): JsonSchema {
  return {
    type: 'object',
    required: ['detail'],
    properties: {
      detail: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: codes },
          message: { type: 'string' },
          fields: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  };
}
