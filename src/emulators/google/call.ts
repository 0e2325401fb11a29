import type { Moment } from '#emulators/kit/emulator.ts';
import type { Request } from '#emulators/kit/exchange.ts';
import { accessLevel, GoogleError, insufficientScopes, invalid, notFound, unauthorized } from './errors.ts';
import { withinQuota } from './quota.ts';
import { type AccessRole, type AccessToken, type Calendar, canWrite, roleOf, type User, type World } from './world.ts';

/** One authorised call of the Calendar API. */
export interface ApiCall {
  world: World;
  request: Request;
  moment: Moment;
  query: URLSearchParams;
  user: User;
  token: AccessToken;
  /** Path parameters, decoded, in the order of the path. */
  path: string[];
}

export const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

/** The bearer's token and user, if both are good now. */
export function bearerOf(world: World, request: Request): { token: AccessToken; user: User } | null {
  const secret = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const token = secret === undefined ? undefined : world.accessTokens.get(secret);
  const user = token && world.users.get(token.grant.user);
  return token && user ? { token, user } : null;
}

/** Source: Google Calendar API, "Handle API errors", 401 and 403; each method's "Authorization". */
export function authorize(world: World, request: Request, nowMs: number, scopes: readonly string[]) {
  const bearer = bearerOf(world, request);
  if (!bearer || bearer.token.grant.revoked || bearer.token.expiresAtMs <= nowMs) throw unauthorized();
  withinQuota(world, bearer.user.email, nowMs);
  if (!bearer.token.scopes.some((granted) => scopes.some((name) => granted === scope(name)))) {
    throw insufficientScopes();
  }
  return bearer;
}

export function hasScope({ token }: ApiCall, ...names: string[]): boolean {
  return names.some((name) => token.scopes.includes(scope(name)));
}

/** The calendar of a call and what the caller may do with it; one that was never shared does not exist. */
export function openCalendar(call: ApiCall, calendarId: string): { calendar: Calendar; role: AccessRole } {
  const id = calendarId === 'primary' ? call.user.email : calendarId;
  const calendar = call.world.calendars.get(id);
  const role = roleOf(calendar, call.user.email);
  if (!calendar || !role) throw notFound();
  return { calendar, role };
}

export function openForWriting(call: ApiCall, calendarId: string): { calendar: Calendar; role: AccessRole } {
  const opened = openCalendar(call, calendarId);
  if (!canWrite(opened.role)) throw accessLevel();
  if (hasScope(call, 'calendar', 'calendar.events')) return opened;
  const owns = opened.calendar.owner === call.user.email;
  if (owns && hasScope(call, 'calendar.events.owned', 'calendar.app.created')) return opened;
  throw insufficientScopes();
}

export function readJson(request: Request): Record<string, unknown> {
  if (request.body === '') return {};
  try {
    const body: unknown = JSON.parse(request.body);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new GoogleError(400, 'parseError', 'Parse Error');
}

/** A number of a query, between its bounds; larger ones are cut to the maximum, as the API does. */
export function readCount(query: URLSearchParams, name: string, standard: number, most: number): number {
  const text = query.get(name);
  if (text === null) return standard;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) {
    throw invalid('Invalid Value', { locationType: 'parameter', location: name });
  }
  return Math.min(count, most);
}

export function readFlag(query: URLSearchParams, name: string): boolean | null {
  const text = query.get(name);
  if (text === null) return null;
  if (text !== 'true' && text !== 'false')
    throw invalid('Invalid Value', { locationType: 'parameter', location: name });
  return text === 'true';
}
