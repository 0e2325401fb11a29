import type { Calendar, CalendarObject, User, World } from './world.ts';

/** The resource at a path. `missing` keeps the calendar, because a PUT to an unknown name creates an object. */
export type Resource =
  | { kind: 'root' }
  | { kind: 'well-known' }
  | { kind: 'principal'; user: User }
  | { kind: 'home'; user: User }
  | { kind: 'outbox'; user: User }
  | { kind: 'calendar'; user: User; calendar: Calendar }
  | { kind: 'object'; user: User; calendar: Calendar; object: CalendarObject }
  | { kind: 'missing'; user: User | null; calendar: Calendar | null; name: string };

export function resolve(world: World, path: string): Resource {
  const segments = decodePath(path);
  const [top, userName, calendarName, objectName] = segments;
  if (top === undefined) return { kind: 'root' };
  if (top === '.well-known') return { kind: 'well-known' };
  const user = world.users.get(userName ?? '') ?? null;
  const missing: Resource = { kind: 'missing', user, calendar: null, name: segments.at(-1) ?? '' };
  if (!user || segments.length > 4) return missing;
  if (top === 'principals') return segments.length === 2 ? { kind: 'principal', user } : missing;
  if (top === 'outbox') return segments.length === 2 && world.quirks.autoSchedule ? { kind: 'outbox', user } : missing;
  if (top !== 'calendars') return missing;
  if (calendarName === undefined) return { kind: 'home', user };
  const calendar = user.calendars.get(calendarName);
  if (!calendar) return missing;
  if (objectName === undefined) return { kind: 'calendar', user, calendar };
  const object = calendar.objects.get(objectName);
  if (object) return { kind: 'object', user, calendar, object };
  return { kind: 'missing', user, calendar, name: objectName };
}

/** Accepts absolute URLs too: clients may send either in a multiget. Source: RFC 4918 section 8.3. */
function decodePath(path: string): string[] {
  const start = path.startsWith('http') ? path.indexOf('/', path.indexOf('//') + 2) : 0;
  return path
    .slice(start)
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      if (!segment.includes('%')) return segment;
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment; // a stray % is a name of its own: the client gets its 404
      }
    });
}

export function principalHref(user: User): string {
  return `/principals/${encodeURIComponent(user.name)}/`;
}

export function outboxHref(user: User): string {
  return `/outbox/${encodeURIComponent(user.name)}/`;
}

export function homeHref(user: User): string {
  return `/calendars/${encodeURIComponent(user.name)}/`;
}

export function calendarHref(user: User, calendar: Calendar): string {
  return `${homeHref(user)}${encodeURIComponent(calendar.name)}/`;
}

export function objectHref(world: World, user: User, calendar: Calendar, name: string): string {
  let encoded = encodeURIComponent(name);
  for (const character of world.quirks.unescapedInHrefs) {
    encoded = encoded.replaceAll(encodeURIComponent(character), character);
  }
  return calendarHref(user, calendar) + encoded;
}
