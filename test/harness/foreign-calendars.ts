import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { whyMissing } from './caldav-servers.ts';

/** Programs of others that read calendar files: khal, and the libraries of Radicale (vobject) and Xandikos (icalendar). */

interface ForeignEvent {
  location: string;
  description: string;
  url: string;
  conference: string;
  status: string;
  attendees: string[];
  /** ISO 8601. */
  start: string;
}

interface ForeignCalendar {
  method: string;
  events: ForeignEvent[];
}

/** Why they cannot be run here, or null. Debian's packages bring the libraries for the system's Python. */
export const whyNoForeign = (): string | null => whyMissing('khal') ?? whyMissing('radicale') ?? whyMissing('xandikos');

const script = `
import sys, json, vobject, icalendar
raw = sys.stdin.buffer.read().decode('utf-8')
names = ['location', 'description', 'url', 'conference', 'status']
def with_vobject():
    calendar = vobject.readOne(raw)
    one = lambda event, name: str(event.contents[name][0].value) if name in event.contents else ''
    return {'method': calendar.method.value, 'events': [dict(
        {name: one(event, name) for name in names},
        attendees=[a.value for a in event.contents.get('attendee', [])],
        start=event.dtstart.value.isoformat()) for event in calendar.contents['vevent']]}
def with_icalendar():
    calendar = icalendar.Calendar.from_ical(raw)
    def people(event):
        found = event.get('attendee', [])
        return [str(a) for a in (found if isinstance(found, list) else [found])]
    return {'method': str(calendar['method']), 'events': [dict(
        {name: str(event.get(name, '')) for name in names},
        attendees=people(event),
        start=event['dtstart'].dt.isoformat()) for event in calendar.walk('VEVENT')]}
print(json.dumps({'vobject': with_vobject(), 'icalendar': with_icalendar()}))
`;

/** A calendar file as two libraries read it. *Errors*: what either of them does not understand. */
export async function readWithLibraries(
  ics: string,
): Promise<{ vobject: ForeignCalendar; icalendar: ForeignCalendar }> {
  return JSON.parse(await run('/usr/bin/python3', ['-c', script], ics)) as {
    vobject: ForeignCalendar;
    icalendar: ForeignCalendar;
  };
}

const khalConfig = (folder: string) => `[calendars]
[[home]]
path = ${folder}
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[sqlite]
path = ${join(folder, 'khal.db')}
`;

/** The events of a calendar file as khal prints them: `start|location|url`, in UTC. */
export async function readWithKhal(ics: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'khal-'));
  try {
    await writeFile(join(folder, 'config'), khalConfig(folder));
    await writeFile(join(folder, 'invite.ics'), ics);
    const format = '{start-long-full}|{location}|{url}';
    const args = ['-c', join(folder, 'config'), 'printics', '--format', format, join(folder, 'invite.ics')];
    const [, ...events] = (await run('khal', args, '')).trim().split('\n');
    return events;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(program: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}`);
  return out;
}
