import { listReadersHere } from '#features/accounts/public.ts';
import type { RunId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { type Allowance, takeAllowances } from '#platform/limits.ts';
import { admitMails as admitRecipients } from '#platform/recipients.ts';
import type { Handed, Recipient } from './rules/action.ts';
import { keepReaders, takeFirstMails } from './store/reader-rows.ts';

const day = 86_400;
/** Mails of all workflows of the install to one address. */
const toAddress: Allowance = { action: 'workflow mails per address', burst: 20, periodSeconds: day };
const toUnproved: Allowance = { action: 'workflow mails per unproved address', burst: 3, periodSeconds: day };

/** Why somebody gets no mail of a step. */
type Refusal = 'stopped' | 'unproved' | 'too-many-to-address';

/** `readerId`: for the link that stops further mails; null for mails to the host. */
export type Admission = { refusal: Refusal } | { refusal: null; readerId: string | null };

interface Wanted {
  run: Handed<'send-email'>['run'];
  hostId: Handed<'send-email'>['rendered']['reason']['host']['id'];
  to: Recipient;
}

/**
 * Decides about every mail of these runs, by the run and the place of the mail in it. A reader
 * who stopped mails gets none. An address that nobody has confirmed gets one mail about each booking or form, and few a
 * day: of workflows, and of all mails of the install (decision 0070). A confirmed account confirms its address.
 */
export async function admitMails(tx: Tx, handed: readonly Handed<'send-email'>[]): Promise<Map<RunId, Admission[]>> {
  const verdicts = new Map(
    handed.map(({ run, rendered }) => [
      run.id,
      rendered.mails.map((): Admission => ({ refusal: null, readerId: null })),
    ]),
  );
  const open = new Map<string, Wanted & { n: number }>();
  for (const { run, rendered } of handed) {
    for (const [n, { to }] of rendered.mails.entries()) {
      // hosts and owners are mailed by workflows that they or their team made
      if (to.role !== 'host' && to.role !== 'owner')
        open.set(`${run.id} ${n}`, { run, hostId: rendered.reason.host.id, to, n });
    }
  }
  const admit = ({ run, n }: Wanted & { n: number }, admission: Admission) => {
    const mails = verdicts.get(run.id);
    if (mails !== undefined) mails[n] = admission;
  };
  const refuse = (refusal: Refusal, isRefused: (one: Wanted) => boolean) => {
    for (const [key, one] of open) {
      if (!isRefused(one)) continue;
      open.delete(key);
      admit(one, { refusal });
    }
  };
  if (open.size === 0) return verdicts;

  const given = [...open.values()].map(({ hostId, to: { address } }) => ({ hostId, address }));
  const keyOf = (one: Wanted) => `${one.hostId} ${one.to.address.toLowerCase()}`;
  const readers = new Map(
    (await keepReaders(tx, given)).map((reader) => [`${reader.hostId} ${reader.address}`, reader]),
  );
  for (const one of open.values()) admit(one, { refusal: null, readerId: readers.get(keyOf(one))?.id ?? null });
  refuse('stopped', (one) => readers.get(keyOf(one))?.isStopped === true);

  const addresses = [...open.values()].flatMap(({ to }) => (to.isProved ? [] : [to.address]));
  const readersHere = await listReadersHere(tx, addresses);
  const isProved = ({ to }: Wanted) => to.isProved || readersHere.has(to.address.toLowerCase());
  const unproved = [...open.values()].filter((one) => !isProved(one));
  if (unproved.length > 0) {
    const wanted = unproved.map(({ run, to }) => ({ subject: run.subject, address: to.address, runId: run.id }));
    const firsts = new Map(
      (await takeFirstMails(tx, wanted)).map(({ subject, address, runId }) => [`${subject} ${address}`, runId]),
    );
    refuse(
      'unproved',
      (one) => !isProved(one) && firsts.get(`${one.run.subject} ${one.to.address.toLowerCase()}`) !== one.run.id,
    );
  }
  for (const [allowance, isForProved] of [
    [toAddress, true],
    [toUnproved, false],
  ] as const) {
    const some = [...open.values()].filter((one) => isProved(one) === isForProved);
    const refused = await takeForAddresses(tx, allowance, some);
    refuse('too-many-to-address', (one) => refused.has(one));
  }
  const strangers = [...open.values()].filter((one) => !isProved(one));
  const ids = await admitRecipients(
    tx,
    strangers.map(({ to }) => ({ address: to.address, isCounted: true })),
  );
  const withheld = new Set<Wanted>(strangers.filter((_, n) => ids[n] === null));
  refuse('too-many-to-address', (one) => withheld.has(one));
  return verdicts;
}

/** A statement takes one of each address: whoever gets several is asked for as often. */
async function takeForAddresses(tx: Tx, allowance: Allowance, wanted: readonly Wanted[]): Promise<Set<Wanted>> {
  const refused = new Set<Wanted>();
  const queues = Map.groupBy(wanted, ({ to }) => to.address.toLowerCase());
  while (queues.size > 0) {
    const taken = await takeAllowances(tx, allowance, [...queues.keys()]);
    for (const [address, queue] of queues) {
      const [first, ...rest] = queue;
      if (first !== undefined && !taken.has(address)) refused.add(first);
      if (rest.length === 0) queues.delete(address);
      else queues.set(address, rest);
    }
  }
  return refused;
}
