import type { Request } from '#emulators/kit/exchange.ts';

/** Operations by the names that faults and the ledger use. */
export type Operation =
  | 'create'
  | 'update'
  | 'delete'
  | 'get'
  | 'propfind'
  | 'sync-collection'
  | 'multiget'
  | 'query'
  | 'mkcalendar'
  | 'other';

/** Names for several operations, for `op` of a fault. */
export const operationGroups = { put: ['create', 'update'], write: ['create', 'update', 'delete'] };

export function operationOf(request: Request): Operation {
  switch (request.method) {
    case 'PUT':
      return request.headers['if-match'] === undefined ? 'create' : 'update';
    case 'DELETE':
      return 'delete';
    case 'GET':
    case 'HEAD':
      return 'get';
    case 'PROPFIND':
      return 'propfind';
    case 'MKCALENDAR':
      return 'mkcalendar';
    case 'REPORT': {
      const head = request.body.slice(0, 300);
      if (head.includes('sync-collection')) return 'sync-collection';
      return head.includes('multiget') ? 'multiget' : 'query';
    }
    default:
      return 'other';
  }
}
