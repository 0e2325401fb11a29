import { lazy, Suspense } from 'react';
import { loadWords } from '#ui/load-words.ts';
import type { Edit } from './edit-shapes.ts';

const EditTroubles = lazy(async () => {
  const [troubles] = await Promise.all([import('./edit-troubles.tsx'), loadWords('editor')]);
  return { default: troubles.EditTroubles };
});

/** Edits that need somebody; fetched when there is one. */
export function EditNotices({ edits }: { edits: readonly Edit[] }) {
  const troubles = edits
    .filter(
      ({ state, message }) => state === 'failed' || state === 'conflict' || (state === 'done' && message !== null),
    )
    .sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  if (troubles.length === 0) return null;
  return (
    <Suspense>
      <EditTroubles edits={troubles} />
    </Suspense>
  );
}
