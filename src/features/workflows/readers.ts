import { listAddresses } from '#features/accounts/people/public.ts';
import { listReadersHere } from '#features/accounts/public.ts';
import { listTeammates } from '#features/teams/public.ts';
import type { RunId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { type Allowance, takeAllowances } from '#platform/limits.ts';
import { listStopped, mailboxOf } from '#platform/recipients.ts';
import type { Handed, MailReason, Recipient } from './rules/action.ts';
import { keepReaders, noteWaiting, type Reader, takeAsks } from './store/reader-rows.ts';

const day = 86_400;
/** Mails of all workflows of the install to one mailbox. */
const toMailbox: Allowance = { action: 'workflow mails per address', burst: 20, periodSeconds: day };
/** Mails of one host, so that no host uses up the mails of the others. */
const ofHost: Allowance = { action: 'workflow mails of a host per address', burst: 5, periodSeconds: day };

/** Why somebody gets no mail of a step. `unproved`: the run waits until they confirm their address. */
type Refusal = 'stopped' | 'unproved' | 'too-many-to-address';

/** `readerId`: for the link that stops further mails; null for mails to the host. */
type Admission = { refusal: Refusal } | { refusal: null; readerId: string | null };

type HandedMail = Handed<'send-email'>;

/** A reader who is asked to confirm their address. */
export interface Ask {
  run: Pick<HandedMail['run'], 'key' | 'userId'>;
  host: Pick<MailReason['host'], 'id' | 'name'>;
  why: 'form' | 'booking';
  to: Pick<Recipient, 'address' | 'locale'>;
  readerId: string;
}

interface Wanted extends Pick<HandedMail, 'run' | 'rendered'> {
  to: Recipient;
  n: number;
  reader: Reader;
}

/**
 * Decides about every mail of these runs, by the run and the place of the mail in it. A reader who stopped mails gets none.
 * An address that nobody has confirmed to the host gets none of their words: its reader is asked with fixed words, once a
 * day. An account here shows that its address is read, not that its reader wants mails of this host. Members of the host's
 * teams need not be asked.
 */
export async function admitMails(
  tx: Tx,
  handed: readonly HandedMail[],
): Promise<{ admissions: Map<RunId, Admission[]>; asks: Ask[] }> {
  const admissions = new Map(
    handed.map(({ run, rendered }) => [
      run.id,
      rendered.mails.map((): Admission => ({ refusal: null, readerId: null })),
    ]),
  );
  // hosts and owners are mailed by workflows that they or their team made
  const given = handed.flatMap(({ run, rendered }) =>
    rendered.mails.flatMap(({ to }, n) =>
      to.role === 'host' || to.role === 'owner'
        ? []
        : [{ run, rendered, to, n, hostId: rendered.reason.host.id, mailbox: mailboxOf(to.address) }],
    ),
  );
  if (given.length === 0) return { admissions, asks: [] };
  const kept = await keepReaders(tx, given);
  const readers = new Map(kept.map((reader) => [`${reader.hostId} ${reader.mailbox}`, reader]));
  const open = new Set(
    given.flatMap(({ hostId, mailbox, ...one }): Wanted[] => {
      const reader = readers.get(`${hostId} ${mailbox}`);
      return reader === undefined ? [] : [{ ...one, reader }];
    }),
  );
  const admit = ({ run, n }: Wanted, admission: Admission) => {
    const mails = admissions.get(run.id);
    if (mails !== undefined) mails[n] = admission;
  };
  const refuse = (refusal: Refusal, refused: readonly Wanted[]) => {
    for (const one of refused) {
      open.delete(one);
      admit(one, { refusal });
    }
  };
  for (const one of open) admit(one, { refusal: null, readerId: one.reader.id });

  const stopped = await listStopped(
    tx,
    [...open].map(({ to }) => to.address),
  );
  const hasStopped = ({ to, reader }: Wanted) => reader.isStopped || stopped.has(to.address.toLowerCase());
  refuse('stopped', [...open].filter(hasStopped));

  const strangers = [...open].filter(({ to, reader }) => !to.isProved && !reader.isConfirmed);
  const colleagues = await listColleagues(tx, strangers);
  const unproved = strangers.filter((one) => !colleagues.has(one));
  refuse('unproved', unproved);
  const asks = unproved.length === 0 ? [] : await askReaders(tx, unproved);
  refuse('too-many-to-address', await takeForMailboxes(tx, [...open]));
  return { admissions, asks };
}

/** Notes the runs that wait for these readers. Answers with the readers to ask now, once each. */
async function askReaders(tx: Tx, unproved: readonly Wanted[]): Promise<Ask[]> {
  const waiting = unproved.map(({ run, reader }) => ({ readerId: reader.id, runId: run.id }));
  await noteWaiting(tx, waiting);
  const asked = await takeAsks(
    tx,
    waiting.map(({ readerId }) => readerId),
  );
  return unproved.flatMap((one) => (asked.delete(one.reader.id) ? [askOf(one)] : []));
}

function askOf({ run, rendered, to, reader }: Omit<Wanted, 'n'>): Ask {
  const { host, kind } = rendered.reason;
  return { run, host, why: kind === 'form' ? 'form' : 'booking', to, readerId: reader.id };
}

/** Readers with a confirmed account in a team of their host, and hosts who book with themselves. */
async function listColleagues(tx: Tx, wanted: readonly Wanted[]): Promise<ReadonlySet<Wanted>> {
  const here = await listReadersHere(
    tx,
    wanted.map(({ to }) => to.address),
  );
  const withAccount = wanted.filter(({ to }) => here.has(to.address.toLowerCase()));
  const colleagues = new Set<Wanted>();
  for (const [hostId, ofOne] of Map.groupBy(withAccount, ({ reader }) => reader.hostId)) {
    const mates = await listTeammates(tx, hostId);
    const addresses = new Set(
      (await listAddresses(tx, [...new Set([hostId, ...mates.map(({ userId }) => userId)])])).values(),
    );
    for (const one of ofOne) if (addresses.has(one.to.address.toLowerCase())) colleagues.add(one);
  }
  return colleagues;
}

/** The mails without room. A statement takes one of each mailbox, so a mailbox that gets several is asked for as often. */
async function takeForMailboxes(tx: Tx, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const refused: Wanted[] = [];
  const queues = Map.groupBy(wanted, ({ reader }) => reader.mailbox);
  while (queues.size > 0) {
    const firsts = [...queues.values()].flatMap(([first]) => first ?? []);
    // a reader is a mailbox and a host
    const ofHosts = await takeAllowances(
      tx,
      ofHost,
      firsts.map(({ reader }) => reader.id),
    );
    const open = firsts.filter(({ reader }) => ofHosts.has(reader.id));
    const taken = await takeAllowances(
      tx,
      toMailbox,
      open.map(({ reader }) => reader.mailbox),
    );
    for (const [mailbox, queue] of queues) {
      const [first, ...rest] = queue;
      if (first !== undefined && !(ofHosts.has(first.reader.id) && taken.has(mailbox))) refused.push(first);
      if (rest.length === 0) queues.delete(mailbox);
      else queues.set(mailbox, rest);
    }
  }
  return refused;
}
