import type { Moment } from '#emulators/kit/emulator.ts';
import { jsonReply, type Reply, type Request, reply } from '#emulators/kit/exchange.ts';
import type { Asked } from '#emulators/kit/faults.ts';
import { waitForRoom } from '#emulators/kit/sliding-window.ts';
import {
  conflict,
  errorReply,
  HubspotError,
  invalid,
  missingScopes,
  notFound,
  rateLimited,
  unauthenticated,
} from './errors.ts';
import { answerPage } from './pages.ts';
import type { CrmObject, ObjectKind, Portal, Property, Records, World } from './world.ts';

interface Call {
  world: World;
  portal: Portal;
  records: Records;
  path: string[];
  body: unknown;
  nowMs: number;
}

interface Route {
  operation: string;
  method: string;
  path: RegExp;
  scopes: string[];
  answer(call: Call): Reply;
}

const routes: readonly Route[] = [
  {
    operation: 'account.read',
    method: 'GET',
    path: /^\/account-info\/v3\/details$/,
    scopes: [],
    answer: ({ portal }) =>
      jsonReply(200, {
        portalId: portal.id,
        accountType: 'STANDARD',
        timeZone: 'Europe/Berlin',
        uiDomain: 'app.hubspot.com',
      }),
  },
  {
    operation: 'properties.read',
    method: 'GET',
    path: /^\/crm\/v3\/properties\/(contacts|meetings)\/(\w+)$/,
    scopes: [],
    answer({ records, path: [kind, name] }) {
      const found = records.properties[kind as ObjectKind].find((one) => one.name === name);
      if (found === undefined) throw notFound(`Property ${name} does not exist`);
      return jsonReply(200, found);
    },
  },
  {
    operation: 'properties.create',
    method: 'POST',
    path: /^\/crm\/v3\/properties\/(contacts|meetings)$/,
    scopes: ['crm.schemas.contacts.write'],
    answer({ records, path: [kind], body }) {
      const { name, label, type, fieldType, groupName, hasUniqueValue } = body as Partial<Property> &
        Record<'fieldType' | 'groupName', string | undefined>;
      if (!name || !/^[a-z][a-z0-9_]*$/.test(name) || !label || !type || !fieldType || !groupName)
        throw invalid('Invalid input JSON');
      const properties = records.properties[kind as ObjectKind];
      if (properties.some((one) => one.name === name)) throw conflict(`Property named '${name}' already exists.`);
      const made = { name, label, type, hasUniqueValue: hasUniqueValue === true };
      properties.push(made);
      return jsonReply(201, made);
    },
  },
  {
    operation: 'objects.upsert',
    method: 'POST',
    path: /^\/crm\/v3\/objects\/(contacts|meetings)\/batch\/upsert$/,
    scopes: ['crm.objects.contacts.write'],
    answer: answerUpsert,
  },
  {
    operation: 'associations.create',
    method: 'PUT',
    path: /^\/crm\/v4\/objects\/meetings\/(\d+)\/associations\/default\/contacts\/(\d+)$/,
    scopes: ['crm.objects.contacts.write'],
    answer({ records, path: [meeting, contact] }) {
      const isThere = (list: CrmObject[], id?: string) => list.some((one) => one.id === id);
      if (!isThere(records.meetings, meeting) || !isThere(records.contacts, contact))
        throw notFound('resource not found');
      records.associations.add(`${meeting} ${contact}`);
      return jsonReply(200, { status: 'COMPLETE', results: [] });
    },
  },
];

/** Made or changed, whichever it takes: by a property whose values are unique. Source: "Contacts", upsert a batch. */
function answerUpsert({ world, records, path: [name], body, nowMs }: Call): Reply {
  const kind = name as ObjectKind;
  const { inputs } = body as { inputs?: { id: string; idProperty?: string; properties: Record<string, string> }[] };
  if (!Array.isArray(inputs) || inputs.length === 0 || inputs.length > 100) throw invalid('Invalid input JSON');
  const known = records.properties[kind];
  const results = inputs.map(({ id, idProperty, properties }) => {
    if (idProperty === undefined || known.find((one) => one.name === idProperty)?.hasUniqueValue !== true) {
      throw invalid(`Property ${idProperty} is not a unique property`);
    }
    for (const [property, value] of Object.entries(properties)) {
      if (!known.some((one) => one.name === property)) throw invalid(`Property "${property}" does not exist`);
      if (typeof value !== 'string') throw invalid('Invalid input JSON');
    }
    if (kind === 'contacts' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(id)) throw invalid(`Email address ${id} is invalid`);
    const found = records[kind].find((one) => one.properties[idProperty]?.toLowerCase() === id.toLowerCase());
    if (found) {
      Object.assign(found.properties, properties);
      found.updatedMs = nowMs;
      return { ...resourceOf(found), new: false };
    }
    if (kind === 'meetings' && properties.hs_timestamp === undefined) throw invalid('hs_timestamp is required');
    world.made += 1;
    const made = {
      id: String(world.made),
      properties: { [idProperty]: id, ...properties },
      createdMs: nowMs,
      updatedMs: nowMs,
    };
    records[kind].push(made);
    return { ...resourceOf(made), new: true };
  });
  return jsonReply(200, { status: 'COMPLETE', results });
}

const resourceOf = ({ id, properties, createdMs, updatedMs }: CrmObject) => ({
  id,
  properties,
  createdAt: Temporal.Instant.fromEpochMilliseconds(createdMs).toString(),
  updatedAt: Temporal.Instant.fromEpochMilliseconds(updatedMs).toString(),
  archived: false,
});

const isApi = (path: string) => /^\/(crm|account-info)\//.test(path);

/** Null for the page that people look at. */
export function classify(_world: World, { method, path }: Request): Asked | null {
  if (!isApi(path)) return null;
  const route = routes.find((one) => one.method === method && one.path.test(path));
  return { operation: route?.operation ?? 'unknown', account: null, calendar: null, resource: null };
}

export function answer(world: World, request: Request, { nowMs }: Moment): Reply {
  if (!isApi(request.path)) return answerPage(world, request);
  try {
    const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    const portal = world.portals.get(token);
    if (portal === undefined) throw unauthenticated();
    const recent = world.recent.get(portal.id) ?? [];
    world.recent.set(portal.id, recent);
    if (waitForRoom(recent, nowMs, 10_000, world.knobs.perTenSeconds) !== null)
      throw rateLimited('TEN_SECONDLY_ROLLING');
    const route = routes.find((one) => one.method === request.method && one.path.test(request.path));
    if (route === undefined) return reply(404);
    const absent = route.scopes.filter((scope) => !portal.scopes.includes(scope));
    if (absent.length > 0) throw missingScopes(absent);
    const body: unknown = request.body === '' ? null : JSON.parse(request.body);
    const path = route.path.exec(request.path)!.slice(1);
    return route.answer({ world, portal, records: world.records.get(portal.id)!, path, body, nowMs });
  } catch (error) {
    if (error instanceof HubspotError) return errorReply(error);
    throw error;
  }
}
