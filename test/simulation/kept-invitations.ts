import ICAL from 'ical.js';
import type { ReadMail } from './read-mail.ts';

/** A meeting in a calendar that takes invitations from mails. Epoch ms. */
export interface KeptMeeting {
  startMs: number;
  endMs: number;
  /** All that the event says. */
  text: string;
}

interface KeptObject {
  sequence: number;
  master: ICAL.Component | null;
  /** By the instance that they replace, epoch ms; null: it does not take place. */
  instances: Map<number, { sequence: number; event: ICAL.Component | null }>;
}

const msOf = (time: ICAL.Time) => time.toUnixTime() * 1_000;

/**
 * The calendar of one mailbox, as a program keeps it by RFC 5546: of two messages about a UID the one with the higher
 * SEQUENCE counts, and of two with the same the later one.
 */
export class KeptInvitations {
  readonly #objects = new Map<string, KeptObject>();

  take({ calendar }: ReadMail): void {
    if (calendar === null) return;
    const isCancel = calendar.method === 'CANCEL';
    for (const component of calendar.events) {
      const event = new ICAL.Event(component);
      const { uid, sequence } = event;
      const kept = this.#objects.get(uid) ?? { sequence: -1, master: null, instances: new Map() };
      this.#objects.set(uid, kept);
      if (!event.isRecurrenceException()) {
        if (sequence < kept.sequence) continue;
        this.#objects.set(uid, { sequence, master: isCancel ? null : component, instances: new Map() });
        continue;
      }
      const instanceMs = msOf(event.recurrenceId);
      const known = kept.instances.get(instanceMs)?.sequence ?? kept.sequence;
      if (sequence >= known) kept.instances.set(instanceMs, { sequence, event: isCancel ? null : component });
    }
  }

  /** The meetings in it, by their start. */
  meetings(): KeptMeeting[] {
    const all: KeptMeeting[] = [];
    for (const { master, instances } of this.#objects.values()) {
      for (const { event } of instances.values()) if (event !== null) all.push(toMeeting(new ICAL.Event(event)));
      if (master === null) continue;
      const event = new ICAL.Event(master);
      if (!event.isRecurring()) {
        all.push(toMeeting(event));
        continue;
      }
      const iterator = event.iterator();
      for (let at = iterator.next(); at; at = iterator.next()) {
        if (instances.has(msOf(at))) continue;
        const startMs = msOf(at);
        all.push({ startMs, endMs: startMs + event.duration.toSeconds() * 1_000, text: unfolded(master) });
      }
    }
    return all.toSorted((one, other) => one.startMs - other.startMs);
  }
}

const toMeeting = (event: ICAL.Event): KeptMeeting => ({
  startMs: msOf(event.startDate),
  endMs: msOf(event.endDate),
  text: unfolded(event.component),
});

const unfolded = (event: ICAL.Component) => event.toString().replaceAll(/\r?\n[ \t]/g, '');
