import { editsContract } from '#features/edits/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { Edit } from './edit-shapes.ts';

const { listEdits } = editsContract;
const api = createClient({ listEdits });

/** Edits of a range, ISO instants. */
export async function readEdits(from: string, to: string, signal: AbortSignal): Promise<{ edits: Edit[] }> {
  return await api.listEdits({ query: { from, to } }, { signal });
}
