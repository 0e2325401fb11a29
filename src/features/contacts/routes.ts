import { bindRoutes } from '#platform/routes.ts';
import { addContact } from './add-contact.ts';
import { addNote, removeNote } from './add-note.ts';
import { changeContact } from './change-contact.ts';
import { contactsContract } from './contract.ts';
import { deleteContact } from './delete-contact.ts';
import { exportContacts } from './export-contacts.ts';
import { importContacts, previewImport } from './import-contacts.ts';
import { listContactMeetings } from './list-contact-meetings.ts';
import { listContacts } from './list-contacts.ts';
import { listDuplicates } from './list-duplicates.ts';
import { keepApart, mergeContacts, splitContact } from './merge-contacts.ts';
import { nameOwner } from './name-owner.ts';
import { sendFollowUp } from './send-follow-up.ts';
import { showContact } from './show-contact.ts';

export const routes = bindRoutes(contactsContract, {
  listContacts: ({ app, actor, input }) => listContacts(app, actor, input.query),
  addContact: ({ app, actor, input }) => addContact(app, actor, input.body),
  readContact: ({ app, actor, input }) => showContact(app, actor, input.params.id),
  changeContact: ({ app, actor, input }) => changeContact(app, actor, input.params.id, input.body),
  deleteContact: ({ app, actor, input }) => deleteContact(app, actor, input.params.id, false),
  restoreContact: ({ app, actor, input }) => deleteContact(app, actor, input.params.id, true),
  listContactMeetings: ({ app, actor, input }) => listContactMeetings(app, actor, input.params.id, input.query.before),
  addNote: ({ app, actor, input }) => addNote(app, actor, input.params.id, input.body.body),
  deleteNote: ({ app, actor, input }) => removeNote(app, actor, input.params, false),
  restoreNote: ({ app, actor, input }) => removeNote(app, actor, input.params, true),
  listDuplicates: ({ app, actor }) => listDuplicates(app, actor),
  mergeContacts: ({ app, actor, input }) => mergeContacts(app, actor, input.params.id, input.body.other_id),
  splitContact: ({ app, actor, input }) => splitContact(app, actor, input.params.id, input.body.ids),
  keepApart: ({ app, actor, input }) => keepApart(app, actor, input.params.id, input.body.other_id),
  previewImport: ({ app, actor, input }) => previewImport(app, actor, input.body),
  importContacts: ({ app, actor, input }) => importContacts(app, actor, input.body),
  exportCsv: ({ app, actor, input }) => exportContacts(app, actor, input.query, 'csv'),
  exportVcard: ({ app, actor, input }) => exportContacts(app, actor, input.query, 'vcard'),
  sendFollowUp: ({ app, actor, input }) => sendFollowUp(app, actor, input.params.id, input.body),
  nameOwner: ({ app, actor, input }) => nameOwner(app, actor, input.params, input.body.user_id),
});
