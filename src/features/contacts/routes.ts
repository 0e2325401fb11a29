import { bindRoutes } from '#platform/routes.ts';
import {
  addContact,
  changeContact,
  deleteContact,
  getContact,
  listContactMeetings,
  listContacts,
  listDuplicates,
} from './contacts.ts';
import { contactsContract } from './contract.ts';
import { exportContacts } from './files/export.ts';
import { importContacts, previewImport } from './files/import.ts';
import { keepApart, mergeContacts, splitContact } from './merging.ts';
import { addNote, removeNote, sendFollowUp } from './notes.ts';
import { changeOwner } from './owners.ts';

export const routes = bindRoutes(contactsContract, {
  listContacts: ({ app, actor, input }) => listContacts(app, actor, input.query),
  addContact: ({ app, actor, input }) => addContact(app, actor, input.body),
  readContact: ({ app, actor, input }) => getContact(app, actor, input.params.id),
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
  nameOwner: ({ app, actor, input }) => changeOwner(app, actor, input.params, input.body.user_id),
});
