import { useQuery } from '@tanstack/react-query';
import { useEditCalls } from './edit-calls.ts';

/** A description that a list has cut: its beginning, and all of it as soon as it is read. */
export function WholeDescription({ eventId, beginning }: { eventId: string; beginning: string }) {
  const calls = useEditCalls();
  const { data } = useQuery({
    queryKey: ['edits', 'guests', eventId],
    queryFn: ({ signal }) => calls.read(eventId, signal),
  });
  return data?.description ?? beginning;
}
