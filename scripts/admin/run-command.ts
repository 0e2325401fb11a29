import { disableMfaByHand, forgetSetUpLink } from '#features/access/public.ts';
import { verifyAudit } from '#features/accounts/audit/public.ts';
import { changeRole, changeSuspension, confirmByHand, listAdministrators } from '#features/accounts/people/public.ts';
import { recountAll } from '#features/analytics/public.ts';
import { listSubscribers } from '#features/site/public.ts';
import type { Database } from '#platform/db.ts';
import { createJobs } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { beginMaintenance, endMaintenance, findMaintenance } from '#platform/maintenance.ts';
import { createNews, type ListenerApp, type News } from '#platform/news.ts';

export interface Outcome {
  lines: string[];
  failed: boolean;
}

export const usage = `Usage: npm run admin -- <command>

  grant <email>    make this user an administrator; they have to sign in again
  revoke <email>   remove the administrator role; they have to sign in again
  list             list all administrators
  mfa-off <email>  turn off a lost second factor; they have to sign in again
  suspend <email>  end their sessions, close their booking pages, and stop work on their calendars
  resume <email>   end a suspension
  verify <email>   confirm an address if email can't be sent; its person must have signed up themselves
  set-up-link      print the link for the first administrator again at the next start
  recount          recount the figures of all dashboards and report differences
  subscribers      list newsletter subscribers as CSV
  verify-audit     check the chain of the audit log
  maintenance on "text" | off
                   let only administrators in and pause all jobs, or end this`;

const done = (...lines: string[]): Outcome => ({ lines, failed: false });
const failed = (...lines: string[]): Outcome => ({ lines, failed: true });

/** Carries out one command of `npm run admin`, also beside a running server, which follows at once. */
export async function runCommand(db: Database, args: readonly string[], publicUrl = ''): Promise<Outcome> {
  const [command, email, ...rest] = args;
  if (command === 'list' && email === undefined) return list(db);
  if (command === 'verify-audit' && email === undefined) return checkAudit(db);
  if (command === 'subscribers' && email === undefined)
    return done((await listSubscribers(db, publicUrl)).join('').trimEnd());
  if (command === 'set-up-link' && email === undefined) {
    await forgetSetUpLink(db);
    return done('The next start prints the set-up link, unless an administrator exists.');
  }
  if (command === 'recount' && email === undefined) return recount(db);
  if (command === 'maintenance') return maintain(db, email, rest);
  if (email === undefined || rest.length > 0) return failed(usage);
  switch (command) {
    case 'grant':
      return grant(db, email);
    case 'revoke':
      return revoke(db, email);
    case 'mfa-off':
      return turnMfaOff(db, email);
    case 'suspend':
      return suspend(db, email, true);
    case 'resume':
      return suspend(db, email, false);
    case 'verify':
      return verify(db, email);
    default:
      return failed(usage);
  }
}

async function maintain(db: Database, word: string | undefined, [text, ...rest]: string[]): Promise<Outcome> {
  if (rest.length > 0) return failed(usage);
  if (word === 'on' && text !== undefined && text.length >= 1 && text.length <= 500) {
    await beginMaintenance(db, text);
    return done('Maintenance is on. Within two seconds, only administrators can sign in, and no new jobs start.');
  }
  if (text !== undefined) return failed(usage);
  if (word === 'off') {
    const wasOn = await endMaintenance(db);
    return done(
      wasOn ? 'Maintenance is off. Everything continues within two seconds.' : 'Maintenance was already off.',
    );
  }
  if (word !== undefined) return failed(usage);
  const note = await findMaintenance(db);
  if (note === null) return done('Maintenance is off.');
  const since = Temporal.Instant.fromEpochMilliseconds(Math.floor(note.sinceMs)).round('second');
  return done(`Maintenance has been on since ${since.toString()}: ${note.message}`);
}

async function list(db: Database): Promise<Outcome> {
  const people = await listAdministrators(db);
  if (people.length === 0) return done('There is no administrator. Add one: npm run admin -- grant <email>');
  return done(
    ...people.map(({ email, mfa_enabled_at, email_verified_at }) => {
      const factor = mfa_enabled_at === null ? 'no second factor' : 'second factor on';
      return `${email}  (${factor}${email_verified_at === null ? ', email not confirmed' : ''})`;
    }),
  );
}

/** A figure that was wrong is a fault of ours: it is put right, and said as a failure. */
async function recount(db: Database): Promise<Outcome> {
  const { bookings, people, sums } = await recountAll(db);
  const counted = `Recounted the bookings of ${people} people.`;
  if (bookings === 0 && sums === 0) return done(`${counted} All figures were correct.`);
  return failed(
    `${counted} ${bookings} bookings were counted incorrectly, and ${sums} daily sums were wrong.`,
    'They are correct now. Please report this, because figures should follow every change.',
  );
}

async function checkAudit(db: Database): Promise<Outcome> {
  const { entries, head, broken } = await verifyAudit(db);
  const last = head === null ? '' : ` The last entry is ${head.position}: ${head.hash}`;
  if (broken === null) return done(`The audit log is intact: ${entries} entries.${last}`);
  const what = broken.kind === 'missing' ? 'is missing' : 'was changed';
  return failed(
    `The audit log is damaged: entry ${broken.position} ${what}. The ${entries} entries before it are intact.${last}`,
  );
}

async function grant(db: Database, email: string): Promise<Outcome> {
  const outcome = await changeRole(db, email, 'admin');
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'same') return done(`${email} is already an administrator. Nothing was changed.`);
  return done(`${email} is now an administrator and was signed out everywhere. Sign in again at /admin/login.`);
}

async function revoke(db: Database, email: string): Promise<Outcome> {
  const outcome = await changeRole(db, email, 'user');
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'same') return done(`${email} isn't an administrator. Nothing was changed.`);
  const told = `${email} is no longer an administrator and was signed out everywhere.`;
  const left = await listAdministrators(db);
  return left.length > 0
    ? done(told)
    : done(told, 'There is no administrator anymore. Add one: npm run admin -- grant <email>');
}

async function turnMfaOff(db: Database, email: string): Promise<Outcome> {
  const outcome = await disableMfaByHand(db, email);
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'same') return done(`${email} has no second factor. Nothing was changed.`);
  return done(`${email} now signs in with a password only and was signed out everywhere.`);
}

async function suspend(db: Database, email: string, isSuspended: boolean): Promise<Outcome> {
  const outcome = await changeSuspension({ db, news: await openNews() }, email, isSuspended);
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'only-admin') return failed(`${email} is the last administrator. Add another one first.`);
  if (outcome === 'same')
    return done(
      `${email} ${isSuspended ? 'is already suspended or being deleted' : "isn't suspended"}. Nothing was changed.`,
    );
  return isSuspended
    ? done(
        `${email} is suspended and was signed out everywhere. All data is kept. To end this: npm run admin -- resume ${email}`,
      )
    : done(`${email} can sign in again. Work on their calendars continues.`);
}

/** Tells all features. Their listeners use the transaction, and their jobs are stored with it. */
async function openNews(): Promise<News> {
  const { features } = await import('../../src/features.ts');
  const log = await createLog({ level: 'silent', format: 'json' });
  const jobs = createJobs({ url: '', log, jobs: [], schedules: [] });
  return createNews(
    { jobs } as unknown as ListenerApp,
    features.flatMap(({ listeners }) => listeners ?? []),
  );
}

async function verify(db: Database, email: string): Promise<Outcome> {
  const outcome = await confirmByHand(db, email);
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'same') return done(`${email} is already confirmed. Nothing was changed.`);
  return done(
    `${email} is confirmed and can sign in with the password of the sign-up at ${outcome.signedUpAt.toString({ smallestUnit: 'minute' })}.`,
    'Ask the person whether they signed up then. If not, somebody else knows that password: delete the account.',
  );
}

const unknown = (email: string) =>
  failed(`There is no account for ${email}. Sign up first, then run this again. Nothing was changed.`);
