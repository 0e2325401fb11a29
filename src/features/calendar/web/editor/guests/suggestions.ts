import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { suggestionsContract } from '#features/contacts/suggestions/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { Guest } from '../parse-addresses.ts';
import { useRestedText } from './rested-text.ts';

const { suggestGuests } = suggestionsContract;
const api = createClient({ suggestGuests });

export type Suggestion = Output<typeof suggestGuests>['guests'][number];

/** Shorter than the pause between two letters of a slow typist. */
const pauseMs = 120;

const suggestionsOf = (typed: string) =>
  queryOptions({
    queryKey: ['contacts', 'suggestions', typed],
    queryFn: async ({ signal }) => (await api.suggestGuests({ query: { q: typed } }, { signal })).guests,
    staleTime: 30_000,
    retry: false,
  });

/**
 * Suggestions for what is typed, without the guests that are there. Until the answer comes, those of the last answer that
 * still match. `first` waits for the answer.
 */
export function useSuggestions(text: string, guests: readonly Guest[]) {
  const queryClient = useQueryClient();
  const typed = text.trim().slice(0, 200);
  const rested = useRestedText(typed, pauseMs);
  const { data } = useQuery({ ...suggestionsOf(rested), enabled: rested !== '' });
  const [last, setLast] = useState<readonly Suggestion[]>([]);
  if (data !== undefined && data !== last) setLast(data);
  const invited = new Set(guests.map(({ email }) => email.toLowerCase()));
  const isNew = ({ address }: Suggestion) => !invited.has(address.toLowerCase());
  const isAnswered = data !== undefined && rested === typed;
  return {
    suggestions: (typed === '' ? [] : isAnswered ? data : last.filter((one) => matches(one, typed))).filter(isNew),
    first: async (): Promise<Suggestion | undefined> =>
      (await queryClient.fetchQuery(suggestionsOf(typed)).catch(() => [])).find(isNew),
  };
}

/** Each typed word begins a word of the name or address. The server folds more letters; its answer replaces this one. */
function matches({ name, address }: Suggestion, typed: string): boolean {
  const text = ` ${plain(`${name ?? ''} ${address}`)}`;
  return plain(typed)
    .trim()
    .split(' ')
    .every((word) => text.includes(` ${word}`));
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ');

/** A text in parts, those that were typed marked; only where words begin. */
export function markTyped(text: string, typed: string): { part: string; isTyped: boolean }[] {
  const words = typed
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  if (words.length === 0) return [{ part: text, isTyped: false }];
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'iu'));
  return parts.map((part, index) => ({ part, isTyped: index % 2 === 1 })).filter(({ part }) => part !== '');
}
