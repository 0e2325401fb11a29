import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { contactsContract } from '#features/contacts/contract.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient, urlOf } from '#kernel/contract-client.ts';
import { type ContactSearch, filtersOf } from './contact-search.ts';

const api = createClient(contactsContract);

export type Contact = Output<typeof contactsContract.listContacts>['contacts'][number];
export type ContactId = Contact['id'];
export type Profile = Output<typeof contactsContract.readContact>;
export type Note = Profile['notes'][number];
export type TeamOfProfile = Profile['teams'][number];
export type Import = Output<typeof contactsContract.previewImport>;
export type NewContact = CallInput<typeof contactsContract.addContact>['body'];

export function useContacts(search: ContactSearch) {
  const query = { ...filtersOf(search), order: search.order };
  return useInfiniteQuery({
    queryKey: ['contacts', 'list', query],
    queryFn: ({ signal, pageParam }) => api.listContacts({ query: { ...query, after: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export const useProfile = (id: ContactId) =>
  useQuery({
    queryKey: ['contacts', 'profile', id],
    queryFn: ({ signal }) => api.readContact({ params: { id } }, { signal }),
  });

export function usePastMeetings(id: ContactId) {
  return useInfiniteQuery({
    queryKey: ['contacts', 'meetings', id],
    queryFn: ({ signal, pageParam }) =>
      api.listContactMeetings({ params: { id }, query: { before: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ more, meetings }) => (more ? meetings.at(-1)?.start_time : undefined),
  });
}

export const useDuplicates = () =>
  useQuery({ queryKey: ['contacts', 'duplicates'], queryFn: ({ signal }) => api.listDuplicates({}, { signal }) });

/** An act after which whatever is shown of contacts is asked for again. */
function useAct<Wish, Answer>(act: (wish: Wish) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['contacts'] }),
  });
}

export const useAddContact = () => useAct((body: NewContact) => api.addContact({ body }));
export const useChangeContact = () =>
  useAct(({ id, ...body }: { id: ContactId; name?: string; phone?: string; company?: string; tags?: string[] }) =>
    api.changeContact({ params: { id }, body }),
  );
export const useDeleteContact = () => useAct((id: ContactId) => api.deleteContact({ params: { id } }));
export const useRestoreContact = () => useAct((id: ContactId) => api.restoreContact({ params: { id } }));
export const useAddNote = () =>
  useAct(({ id, body }: { id: ContactId; body: string }) => api.addNote({ params: { id }, body: { body } }));
export const useDeleteNote = () =>
  useAct(({ id, note }: { id: ContactId; note: Note }) => api.deleteNote({ params: { id, note_id: note.id } }));
export const useRestoreNote = () =>
  useAct(({ id, note }: { id: ContactId; note: Note }) => api.restoreNote({ params: { id, note_id: note.id } }));
export const useMerge = () =>
  useAct(({ id, other }: { id: ContactId; other: ContactId }) =>
    api.mergeContacts({ params: { id }, body: { other_id: other } }),
  );
export const useSplit = () =>
  useAct(({ id, ids }: { id: ContactId; ids: ContactId[] }) => api.splitContact({ params: { id }, body: { ids } }));
export const useKeepApart = () =>
  useAct(({ id, other }: { id: ContactId; other: ContactId }) =>
    api.keepApart({ params: { id }, body: { other_id: other } }),
  );
export const useSendFollowUp = () =>
  useAct(({ id, ...body }: { id: ContactId; subject: string; body: string }) =>
    api.sendFollowUp({ params: { id }, body }),
  );
export const useNameOwner = () =>
  useAct(({ id, team, userId }: { id: ContactId; team: TeamOfProfile['id']; userId: string | null }) =>
    api.nameOwner({ params: { id, team_id: team }, body: { user_id: userId } }),
  );

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());
export const usePreviewImport = () =>
  useMutation({ mutationFn: async (file: File) => api.previewImport({ body: await bytesOf(file) }) });
export const useImport = () => useAct(async (file: File) => api.importContacts({ body: await bytesOf(file) }));

/** Where what is filtered is downloaded. */
export function exportAddresses(search: ContactSearch) {
  const query = filtersOf(search);
  return {
    csv: urlOf(contactsContract.exportCsv, { query }),
    vcard: urlOf(contactsContract.exportVcard, { query }),
    vcard3: urlOf(contactsContract.exportVcard, { query: { ...query, version: '3.0' } }),
  };
}
