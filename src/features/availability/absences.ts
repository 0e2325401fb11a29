import { randomUUIDv7 } from 'node:crypto';
import { AppError, part } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction } from '#platform/db.ts';
import { listCountries, listHolidays } from './holidays.ts';
import { notifyHoursChanged } from './open-hours.ts';
import type { Days } from './rules/open-spans.ts';
import { tooMany } from './rules/policy-errors.ts';
import {
  countRows,
  deleteRow,
  findHolidays,
  insertDaysOff,
  insertTravel,
  listDaysOff,
  listTravels,
  replaceHolidays,
} from './store/absences.ts';

const mostAbsences = 200;

/** Out of office on whole days. *Errors*: invalid BAD_DAYS; conflict TOO_MANY. */
export function addDaysOff(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  body: { first_day: string; last_day: string; reason: string },
): Promise<void> {
  const days = readDays(body);
  return inTransaction(app.db, async (tx) => {
    if ((await countRows(tx, 'days_off', userId)) >= mostAbsences)
      throw tooMany(part('times out of office'), mostAbsences);
    await insertDaysOff(tx, userId, { id: randomUUIDv7(), ...days, reason: body.reason.trim() });
    await notifyHoursChanged(app, tx, userId);
  });
}

/** *Errors*: invalid BAD_DAYS where the last day is before the first. */
function readDays(body: { first_day: string; last_day: string }): Days {
  if (body.last_day >= body.first_day) return { firstDay: body.first_day, lastDay: body.last_day };
  const message = 'The last day must not be before the first. Nothing was saved.';
  throw new AppError('invalid', 'BAD_DAYS', message, { fields: { last_day: message } });
}

/** The same hours in another zone for some days. *Errors*: invalid BAD_DAYS; conflict OVERLAP, TOO_MANY. */
export function addTravel(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  body: { first_day: string; last_day: string; zone: string },
): Promise<void> {
  const days = readDays(body);
  return inTransaction(app.db, async (tx) => {
    if ((await countRows(tx, 'travels', userId)) >= mostAbsences) throw tooMany(part('journeys'), mostAbsences);
    if (!(await insertTravel(tx, userId, { id: randomUUIDv7(), ...days, zone: body.zone }))) throw overlap();
    await notifyHoursChanged(app, tx, userId);
  });
}

function overlap(): AppError {
  const message = "You're already traveling on one of these days. Nothing was saved.";
  return new AppError('conflict', 'OVERLAP', message, { fields: { first_day: message } });
}

/** A time out of office, or a journey, does not take place. *Errors*: not-found. */
export function removeAbsence(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  kind: 'days_off' | 'travels',
  id: string,
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    if (!(await deleteRow(tx, kind, userId, id))) throw new AppError('not-found', 'NOT_FOUND', 'Time away not found.');
    await notifyHoursChanged(app, tx, userId);
  });
}

/** Public holidays of a country are days off, but those that are worked. *Errors*: invalid NO_COUNTRY. */
export async function setHolidays(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  { country, region, worked }: { country: string | null; region: string | null; worked: string[] },
): Promise<void> {
  const choice = country === null ? null : { country, region, worked: [...new Set(worked)] };
  if (choice !== null) await demandKnown(choice.country, region);
  await inTransaction(app.db, async (tx) => {
    await replaceHolidays(tx, userId, choice);
    await notifyHoursChanged(app, tx, userId);
  });
}

async function demandKnown(country: string, region: string | null): Promise<void> {
  const known = (await listCountries()).find(({ code }) => code === country);
  const hasRegion = region === null || known?.regions.some(({ code }) => code === region) === true;
  if (known !== undefined && hasRegion) return;
  throw new AppError('invalid', 'NO_COUNTRY', "We don't have the holidays of this country or region.");
}

/** Why the hours of a day are closed or in another zone; `name` is the reason, the holiday, or the zone. */
export interface Absence {
  kind: 'day-off' | 'holiday' | 'travel';
  name: string;
}

/**
 * The day off, holiday or journey at a moment of a person, and its day. `zone` is that of their hours. Three queries.
 *
 * *Shape*: the half-open day, epoch ms.
 */
export async function findAbsence(
  db: Database,
  userId: UserId,
  atMs: number,
  zone: string,
): Promise<(Absence & { startMs: number; endMs: number }) | null> {
  const dayIn = (name: string) => {
    const clock = loadZone(name) ?? utc;
    const localMs = Math.floor(clock.toLocal(atMs) / dayMs) * dayMs;
    const span = { startMs: clock.toInstant(localMs), endMs: clock.toInstant(localMs + dayMs) };
    return { day: printLocalDate(localMs), span };
  };
  const earliest = printLocalDate(atMs - 2 * dayMs);
  const [daysOff, travels, choice] = await Promise.all([
    listDaysOff(db, userId, earliest),
    listTravels(db, userId, earliest),
    findHolidays(db, userId),
  ]);
  const isOn = (day: string) => (days: Days) => days.firstDay <= day && day <= days.lastDay;
  const travel = travels.find((one) => isOn(dayIn(one.zone).day)(one));
  const { day, span } = dayIn(travel?.zone ?? zone);
  const off = daysOff.find(isOn(day));
  if (off !== undefined) return { kind: 'day-off', name: off.reason, ...span };
  const holidays = choice === null ? [] : await listHolidays(choice.country, choice.region, span);
  const holiday = holidays.find((one) => one.day === day && choice?.worked.includes(one.rule) === false);
  if (holiday !== undefined) return { kind: 'holiday', name: holiday.name, ...span };
  return travel === undefined ? null : { kind: 'travel', name: travel.zone, ...span };
}
