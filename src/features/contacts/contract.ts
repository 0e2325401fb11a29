/**
 * Owns: whom a person meets: addresses, what is known of them, notes, and who in a team looks after whom.
 * Announces: nothing; open browsers hear the topic contacts.
 * Never: writes to anybody but the contact that its person chose; changes calendars or bookings.
 */
import * as z from 'zod/mini';
import { fileAnswer, fileBytes, id, line, text, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import type { ContactId, NoteId, TeamId } from '#kernel/ids.ts';
import { refusals } from './files/rules.ts';
import { contactOrders, contactSources, followUpsADay, importLimits, longest, meetingAges, mostTags } from './rules.ts';

const contactId = id<'contact'>() as z.ZodMiniType<ContactId, string>;
const noteId = id<'note'>() as z.ZodMiniType<NoteId, string>;
const teamId = id<'team'>() as z.ZodMiniType<TeamId, string>;
const tags = z.array(line(longest.tag)).check(z.maxLength(mostTags));
const optional = { name: line(longest.name), phone: line(longest.phone), company: line(longest.company), tags };

const contactShape = z.strictObject({
  id: contactId,
  /** The one that is written to, then those that were merged into it. */
  addresses: z.array(z.strictObject({ id: contactId, address: z.string() })),
  name: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  company: z.nullable(z.string()),
  tags: z.array(z.string()),
  source: z.enum(contactSources),
  /** Bookings with the caller that were made here and not cancelled, past and to come. */
  total_bookings: z.int(),
  /** Meetings that are over, each once; those of calendars too. */
  total_meetings: z.int(),
  last_meeting: z.nullable(z.iso.datetime()),
  next_meeting: z.nullable(z.iso.datetime()), // the one that is on, or comes next
});

const meetingShape = z.strictObject({
  title: z.nullable(z.string()),
  start_time: z.iso.datetime(),
  end_time: z.iso.datetime(),
  /** As the calendar knows it; null for what stands in none, or is older than it remembers. */
  event_id: z.nullable(z.string()),
});

const noteShape = z.strictObject({ id: noteId, body: z.string(), at: z.iso.datetime() });

const profileShape = z.strictObject({
  contact: contactShape,
  next: z.nullable(meetingShape),
  /** Bookings to come, the nearest first, at most 20. */
  bookings_ahead: z.array(meetingShape),
  notes: z.array(noteShape), // newest first
  follow_ups: z.array(z.strictObject({ id: uuid, subject: z.string(), body: z.string(), at: z.iso.datetime() })),
  /** Whether a mail can be sent from here; if not, why, and a mail program has to. */
  follow_up: z.enum(['here', 'no-mail-server', 'never-booked', 'limit']),
  teams: z.array(
    z.strictObject({
      id: teamId,
      name: z.string(),
      may_choose: z.boolean(),
      owner_id: z.nullable(uuid),
      members: z.array(z.strictObject({ id: uuid, name: z.string() })),
    }),
  ),
});

const filters = {
  q: z.optional(line(200)),
  tag: z.optional(line(longest.tag)),
  source: z.optional(z.enum(contactSources)),
  met: z.optional(z.enum(meetingAges)),
};

const plannedShape = z.strictObject({
  line: z.int(),
  what: z.enum(['added', 'changed', 'same', 'refused']),
  address: z.string(), // the beginning of the row if it was refused
  name: z.nullable(z.string()),
  /** Fields that the row fills. */
  gains: z.array(z.enum(['name', 'phone', 'company', 'tags', 'note'])),
  reason: z.nullable(z.enum([...refusals, 'full'])),
});

/** The result of an import: refused rows, and the first of the others. */
const importShape = z.strictObject({
  added: z.int(),
  changed: z.int(),
  same: z.int(),
  refused: z.int(),
  rows: z.array(plannedShape),
});

const importFile = {
  takesFile: ['application/octet-stream', 'text/csv', 'text/vcard'] as const,
  bodyLimit: importLimits.bytes,
  body: fileBytes,
  output: importShape,
  errors: ['IMPORT_UNREADABLE', 'TOO_MANY_COLUMNS'] as const,
};

const one = z.strictObject({ id: contactId });
const noteOfContact = z.strictObject({ id: contactId, note_id: noteId });
const other = z.strictObject({ other_id: contactId });

export const contactsContract = {
  listContacts: endpoint({
    method: 'GET',
    path: '/api/contacts',
    auth: 'user',
    summary: 'A page of 50 contacts, with the available filters',
    query: z.strictObject({
      ...filters,
      order: z.optional(z.enum(contactOrders)), // default: last
      after: z.optional(line(600)), // `next` of the page before
    }),
    output: z.strictObject({
      contacts: z.array(contactShape),
      next: z.nullable(z.string()),
      matching: z.int(),
      /** Counts of all contacts, regardless of the filter. */
      total: z.int(),
      tags: z.array(z.strictObject({ tag: z.string(), contacts: z.int() })),
    }),
  }),
  addContact: endpoint({
    method: 'POST',
    path: '/api/contacts',
    auth: 'user',
    summary: 'Add a contact. A deleted contact is restored with its data',
    body: z.strictObject({
      address: line(longest.address),
      name: z.optional(optional.name),
      phone: z.optional(optional.phone),
      company: z.optional(optional.company),
      tags: z.optional(tags),
    }),
    output: z.strictObject({ id: contactId }),
    errors: ['BAD_ADDRESS', 'CONTACT_EXISTS', 'TOO_MANY'],
    status: 201,
  }),
  readContact: endpoint({
    method: 'GET',
    path: '/api/contacts/{id}',
    auth: 'user',
    summary: 'Profile of a contact',
    params: one,
    output: profileShape,
  }),
  changeContact: endpoint({
    method: 'PATCH',
    path: '/api/contacts/{id}',
    auth: 'user',
    summary: 'Change a contact. Omitted fields stay, and an empty text clears a field',
    params: one,
    body: z.strictObject({
      name: z.optional(optional.name),
      phone: z.optional(optional.phone),
      company: z.optional(optional.company),
      tags: z.optional(tags),
    }),
    output: z.void(),
    status: 204,
  }),
  deleteContact: endpoint({
    method: 'DELETE',
    path: '/api/contacts/{id}',
    auth: 'user',
    summary: 'Delete a contact until there is a new meeting. Can be undone for 30 days',
    params: one,
    output: z.void(),
    status: 204,
  }),
  restoreContact: endpoint({
    method: 'POST',
    path: '/api/contacts/{id}/restore',
    auth: 'user',
    summary: 'Restore a deleted contact',
    params: one,
    output: z.void(),
    status: 204,
  }),
  listContactMeetings: endpoint({
    method: 'GET',
    path: '/api/contacts/{id}/meetings',
    auth: 'user',
    summary: 'Past meetings with a contact, newest first, 50 per page',
    params: one,
    query: z.strictObject({ before: z.optional(z.iso.datetime()) }), // start of the last one of the page before
    output: z.strictObject({ meetings: z.array(meetingShape), more: z.boolean() }),
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/api/contacts/{id}/notes',
    auth: 'user',
    summary: 'Add a note to a contact',
    params: one,
    body: z.strictObject({ body: text(longest.note) }),
    output: noteShape,
    errors: ['EMPTY_NOTE', 'TOO_MANY'],
    status: 201,
  }),
  deleteNote: endpoint({
    method: 'DELETE',
    path: '/api/contacts/{id}/notes/{note_id}',
    auth: 'user',
    summary: 'Delete a note. Can be undone for 30 days',
    params: noteOfContact,
    output: z.void(),
    status: 204,
  }),
  restoreNote: endpoint({
    method: 'POST',
    path: '/api/contacts/{id}/notes/{note_id}/restore',
    auth: 'user',
    summary: 'Restore a deleted note',
    params: noteOfContact,
    output: z.void(),
    status: 204,
  }),
  listDuplicates: endpoint({
    method: 'GET',
    path: '/api/contacts/duplicates',
    auth: 'user',
    summary: 'Possible duplicates, at most 20 pairs',
    output: z.strictObject({
      pairs: z.array(
        z.strictObject({
          why: z.enum(['address', 'name']),
          keep: z.strictObject({ id: contactId, name: z.nullable(z.string()), address: z.string() }),
          other: z.strictObject({ id: contactId, name: z.nullable(z.string()), address: z.string() }),
        }),
      ),
    }),
  }),
  mergeContacts: endpoint({
    method: 'POST',
    path: '/api/contacts/{id}/merge',
    auth: 'user',
    summary: 'Merge another contact into this one without losing data. `moved` undoes it with split',
    params: one,
    body: other,
    output: z.strictObject({ moved: z.array(contactId) }),
    errors: ['SAME_CONTACT'],
  }),
  splitContact: endpoint({
    method: 'POST',
    path: '/api/contacts/{id}/split',
    auth: 'user',
    summary: 'Split merged addresses into a separate contact. The first address becomes the primary one',
    params: one,
    body: z.strictObject({ ids: z.array(contactId).check(z.minLength(1), z.maxLength(100)) }),
    output: z.void(),
    status: 204,
  }),
  keepApart: endpoint({
    method: 'POST',
    path: '/api/contacts/{id}/keep-apart',
    auth: 'user',
    summary: 'Mark two contacts as different people, so that they are not suggested again',
    params: one,
    body: other,
    output: z.void(),
    status: 204,
  }),
  previewImport: endpoint({
    method: 'POST',
    path: '/api/contacts/imports/preview',
    auth: 'user',
    summary: `Preview an import of CSV or vCard, at most 2 MB and ${importLimits.rows} rows`,
    ...importFile,
  }),
  importContacts: endpoint({
    method: 'POST',
    path: '/api/contacts/imports',
    auth: 'user',
    summary: 'Import a file. Existing data is never overwritten, and a bad row does not affect the others',
    ...importFile,
  }),
  exportCsv: endpoint({
    method: 'GET',
    path: '/api/contacts/export.csv',
    auth: 'user',
    summary: 'Filtered contacts as CSV (UTF-8, RFC 4180)',
    query: z.strictObject(filters),
    output: fileAnswer,
    sendsFile: 'text/csv; charset=utf-8',
  }),
  exportVcard: endpoint({
    method: 'GET',
    path: '/api/contacts/export.vcf',
    auth: 'user',
    summary: 'Filtered contacts as vCard 4.0 (RFC 6350), or 3.0 on request',
    query: z.strictObject({ ...filters, version: z.optional(z.enum(['4.0', '3.0'])) }),
    output: fileAnswer,
    sendsFile: 'text/vcard; charset=utf-8',
  }),
  sendFollowUp: endpoint({
    method: 'POST',
    path: '/api/contacts/{id}/follow-up',
    auth: 'user',
    summary: `Email a contact who has booked with the caller. At most ${followUpsADay.all} a day, ${followUpsADay.one} to one contact`,
    params: one,
    body: z.strictObject({ subject: line(longest.subject), body: text(longest.note) }),
    output: z.void(),
    errors: ['NO_MAIL_SERVER', 'NEVER_BOOKED', 'FOLLOW_UP_LIMIT', 'EMPTY_MAIL'],
    status: 204,
  }),
  nameOwner: endpoint({
    method: 'PUT',
    path: '/api/contacts/{id}/owners/{team_id}',
    auth: 'user',
    summary: 'Set the owner of a contact in a team. Null removes the owner',
    params: z.strictObject({ id: contactId, team_id: teamId }),
    body: z.strictObject({ user_id: z.nullable(uuid) }),
    output: z.void(),
    errors: ['NO_MEMBER'],
    status: 204,
  }),
};
