import { type Core, type EventBody, masterOf } from '#kernel/event.ts';
import { isNobody, readAddress } from './address.ts';
import { mostOthers } from './contact-limits.ts';

/** Grows with every change of what is read, so that all of it is read anew. */
export const attendanceEdition = 1;

/** An address in an event. */
export interface Attendance {
  address: string;
  name: string | null;
  /** Of a series these instances alone, by rec id; null: all but `notIn`. */
  onlyIn: string[] | null;
  notIn: string[];
}

/** Who else takes part in an event, and in which instances of a series. `own` addresses are in lower case. */
export function attendancesOf(body: EventBody, own: ReadonlySet<string>): Attendance[] {
  const people = new Map<string, Attendance>();
  const add = (address: string, name: string | null, change: (one: Attendance) => void, fresh: string[] | null) => {
    const one = people.get(address) ?? { address, name, onlyIn: fresh, notIn: [] };
    one.name ??= name;
    change(one);
    people.set(address, one);
  };
  const master = masterOf(body);
  const whole = master === null ? new Map<string, string | null>() : othersIn(master.core, own);
  for (const { to } of body.kind === 'split' ? body.changes : []) {
    if (to !== null) for (const [address, name] of othersIn(to.core, own)) whole.set(address, name);
  }
  for (const [address, name] of whole) add(address, name, () => undefined, null);
  const apart = master?.kind === 'series' ? master.overrides : body.kind === 'instances' ? body.list : {};
  for (const [recId, { core }] of Object.entries(apart)) {
    const here = othersIn(core, own);
    for (const [address, name] of here) add(address, name, (one) => one.onlyIn?.push(recId), []);
    for (const address of whole.keys()) if (!here.has(address)) people.get(address)?.notIn.push(recId);
  }
  return [...people.values()];
}

/** Nobody where there are too many to know them. */
function othersIn({ attendees = [] }: Core, own: ReadonlySet<string>): Map<string, string | null> {
  const others = new Map<string, string | null>();
  for (const { email, name } of attendees) {
    const address = readAddress(email);
    if (address === null || own.has(address) || isNobody(address)) continue;
    const told = name?.trim() ?? '';
    others.set(address, others.get(address) ?? (told === '' || told.toLowerCase() === address ? null : told));
  }
  return others.size > mostOthers ? new Map() : others;
}
