/** Scopes of a key: read or write as its maker, and the same in the console (`platform/http-endpoint`). */
export const scopes = ['read', 'write', 'admin:read', 'admin:write'] as const;
export type Scope = (typeof scopes)[number];
