import type * as z from 'zod/mini';
import type { Attendee, Core } from '#kernel/event.ts';
import type { changesShape, detailsShape } from '../contract.ts';

export type Changes = z.output<typeof changesShape>;
type Details = z.output<typeof detailsShape>;

/** Fields of a Core that a person edits. The other ones stay as the calendar has them. */
export const editedFields = [
  'title',
  'location',
  'notes',
  'joinUrl',
  'busy',
  'private',
  'attendees',
  'reminders',
] as const satisfies readonly (keyof Core)[];
export type EditedField = (typeof editedFields)[number];
export type CorePatch = Partial<Record<EditedField, Core[EditedField]>>;

/** The changes of a Core that a person asks for, or sees (`fieldsOf`); a field that is not named stays, one that is undefined is taken out. */
export function patchOf(changes: Omit<Changes, 'when'>): CorePatch {
  const patch: CorePatch = {};
  if (changes.title !== undefined) patch.title = filled(changes.title.trim());
  if (changes.location !== undefined) patch.location = filled(changes.location.trim());
  if (changes.description !== undefined) patch.notes = filled(changes.description.replaceAll(/\r\n?/g, '\n').trimEnd());
  if (changes.meeting_link !== undefined) patch.joinUrl = changes.meeting_link ?? undefined;
  if (changes.busy !== undefined) patch.busy = changes.busy;
  if (changes.private !== undefined) patch.private = changes.private;
  if (changes.reminders !== undefined)
    patch.reminders = changes.reminders === null ? undefined : [...new Set(changes.reminders)].sort((a, b) => a - b);
  if (changes.attendees !== undefined) patch.attendees = attendeesOf(changes.attendees);
  return patch;
}

const filled = (text: string) => (text === '' ? undefined : text);

function attendeesOf(list: NonNullable<Changes['attendees']>): Attendee[] | undefined {
  const byEmail = new Map<string, Attendee>();
  for (const { email, name } of list)
    byEmail.set(email.toLowerCase(), name === null || name.trim() === '' ? { email } : { email, name: name.trim() });
  return byEmail.size === 0 ? undefined : [...byEmail.values()];
}

/** The fields of a patch that say something else than what the person was shown: an editor may send them all. */
export function narrow(patch: CorePatch, core: Core): CorePatch {
  const shown = patchOf(fieldsOf(core));
  const left: CorePatch = {};
  for (const field of editedFields) {
    if (field in patch && JSON.stringify(patch[field] ?? null) !== JSON.stringify(shown[field] ?? null))
      (left as Record<string, unknown>)[field] = patch[field];
  }
  return left;
}

export function applyPatch(core: Core, patch: CorePatch): Core {
  const next: Core = { ...core };
  for (const field of editedFields) {
    if (!(field in patch)) continue;
    const value = field === 'attendees' ? withAnswers(patch.attendees as Attendee[] | undefined, core) : patch[field];
    if (value === undefined) delete (next as Partial<Core>)[field];
    else (next as unknown as Record<string, unknown>)[field] = value;
  }
  // a person who invites others is the organizer
  if (next.self === 'none' && next.attendees !== undefined && core.attendees === undefined) next.self = 'organizer';
  return next;
}

/** Attendees who stay invited keep their answers. */
function withAnswers(attendees: Attendee[] | undefined, core: Core): Attendee[] | undefined {
  const before = new Map(core.attendees?.map((attendee) => [attendee.email.toLowerCase(), attendee]));
  return attendees?.map((attendee) => {
    const known = before.get(attendee.email.toLowerCase());
    return known === undefined ? attendee : { ...known, ...attendee, email: known.email };
  });
}

/** Whether a field says the same, whatever a calendar server makes of the spelling of what it is given. */
export function isSameField(field: EditedField, one: Core[EditedField], other: Core[EditedField]): boolean {
  if (field === 'attendees') return invited(one) === invited(other);
  if (field === 'reminders') return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
  if (field === 'title' || field === 'location' || field === 'notes') return plain(one) === plain(other);
  return one === other;
}

const plain = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : '');

const invited = (value: unknown) =>
  ((value ?? []) as Attendee[])
    .map(({ email }) => email.toLowerCase())
    .sort()
    .join(' ');

/** A Core as the editor shows it. */
export function fieldsOf(
  core: Core,
): Pick<
  Details,
  'title' | 'description' | 'location' | 'meeting_link' | 'attendees' | 'busy' | 'private' | 'reminders' | 'self'
> {
  return {
    title: core.title ?? '',
    description: core.notes ?? '',
    location: core.location ?? '',
    meeting_link: core.joinUrl ?? null,
    attendees: (core.attendees ?? []).map(({ email, name, response }) => ({
      email,
      name: name ?? null,
      response: response ?? null,
    })),
    busy: core.busy === 'free' || core.busy === 'elsewhere' ? 'free' : core.busy === 'tentative' ? 'tentative' : 'busy',
    private: core.private,
    reminders: core.reminders ?? null,
    self: core.self,
  };
}
