import { disableMfaByHand, forgetSetUpLink } from '#features/access/public.ts';
import { verifyAudit } from '#features/accounts/audit/public.ts';
import { changeRole, confirmByHand, listAdministrators } from '#features/accounts/people/public.ts';
import { recountAll } from '#features/analytics/public.ts';
import { listSubscribers } from '#features/site/public.ts';
import type { Database } from '#platform/db.ts';
import { beginMaintenance, endMaintenance, findMaintenance } from '#platform/maintenance.ts';

export interface Outcome {
  lines: string[];
  failed: boolean;
}

export const usage = `Usage: npm run admin -- <command>

  grant <email>    make somebody an administrator; they sign in again
  revoke <email>   take that away; they sign in again
  list             who administers this install
  mfa-off <email>  turn the second factor off of somebody who has lost it; they sign in again
  verify <email>   confirm an address by hand, where no mail can be sent
  set-up-link      have the next start print the link for the first administrator again
  recount          count the figures of all dashboards anew, and say whether they were right
  subscribers      addresses that want news by mail, as CSV
  verify-audit     look through the chain of the audit log, and say whether it is whole
  maintenance on "text" | off
                   keep everybody but administrators out, and rest; let them in again`;

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
    return done('The next start prints the set-up link, unless there is an administrator.');
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
    return done('Maintenance is on: within two seconds only administrators get in, and no job is begun any more.');
  }
  if (text !== undefined) return failed(usage);
  if (word === 'off') {
    const wasOn = await endMaintenance(db);
    return done(wasOn ? 'Maintenance is over: everything goes on within two seconds.' : 'Maintenance was not on.');
  }
  if (word !== undefined) return failed(usage);
  const note = await findMaintenance(db);
  if (note === null) return done('Maintenance is off.');
  const since = Temporal.Instant.fromEpochMilliseconds(Math.floor(note.sinceMs)).round('second');
  return done(`Maintenance is on since ${since.toString()}: ${note.message}`);
}

async function list(db: Database): Promise<Outcome> {
  const people = await listAdministrators(db);
  if (people.length === 0) return done('Nobody administers this install: npm run admin -- grant <email>');
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
  const counted = `Counted the bookings of ${people} people anew.`;
  if (bookings === 0 && sums === 0) return done(`${counted} All figures were right.`);
  return failed(
    `${counted} ${bookings} bookings were counted otherwise than they are, and ${sums} daily sums were wrong.`,
    'They are right now. Please report this: figures follow every change by themselves.',
  );
}

async function checkAudit(db: Database): Promise<Outcome> {
  const { entries, head, broken } = await verifyAudit(db);
  const last = head === null ? '' : ` The last is ${head.position}: ${head.hash}`;
  if (broken === null) return done(`The audit is whole: ${entries} entries.${last}`);
  const what = broken.kind === 'missing' ? 'is not there' : 'is not as it was written';
  return failed(
    `The audit does not hold: entry ${broken.position} ${what}. ${entries} entries before it are whole.${last}`,
  );
}

async function grant(db: Database, email: string): Promise<Outcome> {
  const outcome = await changeRole(db, email, 'admin');
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'same') return done(`${email} is an administrator already. Nothing was changed.`);
  return done(`${email} is an administrator now and was signed out everywhere. Sign in again at /admin/login.`);
}

async function revoke(db: Database, email: string): Promise<Outcome> {
  const outcome = await changeRole(db, email, 'user');
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'same') return done(`${email} is no administrator. Nothing was changed.`);
  const told = `${email} is an ordinary user now and was signed out everywhere.`;
  const left = await listAdministrators(db);
  return left.length > 0
    ? done(told)
    : done(told, 'Nobody administers this install any more: npm run admin -- grant <email>');
}

async function turnMfaOff(db: Database, email: string): Promise<Outcome> {
  const outcome = await disableMfaByHand(db, email);
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'same') return done(`${email} has no second factor. Nothing was changed.`);
  return done(`${email} signs in by password alone now and was signed out everywhere.`);
}

async function verify(db: Database, email: string): Promise<Outcome> {
  const outcome = await confirmByHand(db, email);
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'same') return done(`${email} is confirmed already. Nothing was changed.`);
  return done(`${email} is confirmed and can sign in.`);
}

const unknown = (email: string) =>
  failed(`${email} has no account here. Sign up with it first, then run this again. Nothing was changed.`);
