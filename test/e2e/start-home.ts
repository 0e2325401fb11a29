import { type CaldavServer, createCalendar, startRadicale } from '../harness/caldav-servers.ts';
import { openRemoteCalendar, type RemoteCalendar } from './remote-calendar.ts';

/** A real Radicale of one person, with their calendar `Home`. */
export async function startHome(person: {
  username: string;
  password: string;
}): Promise<{ radicale: CaldavServer; home: RemoteCalendar }> {
  const radicale = await startRadicale({ users: { [person.username]: person.password } });
  const authorization = `Basic ${Buffer.from(`${person.username}:${person.password}`).toString('base64')}`;
  // A first sign-in makes Radicale's folder for that person.
  const folder = `${radicale.url}${person.username}/`;
  await fetch(folder, { method: 'PROPFIND', headers: { authorization, depth: '0' } });
  const url = await createCalendar(folder, 'Home', { authorization });
  return { radicale, home: openRemoteCalendar({ url, ...person }) };
}
