import { ProviderError } from '#kernel/errors.ts';
import { contentHash } from '#kernel/event-hash.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import type { CalendarProvider, FoundMirror, MirrorBody } from '#providers/port.ts';
import { calendarGoneCode } from '#providers/port.ts';
import { nextCall } from './rules/next-call.ts';
import type { DueMirror } from './store/mirrors.ts';

/** The outcome of one row's call, as the provider reports it. */
export type WriteResult =
  | {
      kind: 'written';
      how: 'created' | 'updated' | 'adopted' | 'verified';
      ref: string;
      version: string;
      /** The version that was overwritten; null for a new object. */
      over: string | null;
      requestId?: string;
    }
  | { kind: 'removed' }
  /** The copy is not there any more. */
  | { kind: 'gone' }
  /** The provider will not take this identity again. */
  | { kind: 'burnt' };

/**
 * Brings one block to what its row desires. Every write is conditional; a refusal (412, 409) is answered by reading what
 * stands, never by force: what equals our block is adopted, what bears our tag is written at the version read, anything
 * else is left alone. Errors: ProviderError.
 */
export async function writeBlock(
  provider: CalendarProvider,
  calendarRef: string,
  row: DueMirror,
  identity: MirrorIdentity,
  signal: AbortSignal,
): Promise<WriteResult> {
  const call = nextCall(row);
  if (call === 'delete' || call === 'find-and-delete') return removeBlock(provider, calendarRef, row, identity, signal);
  const body = row.desired;
  if (body === null || row.desiredHash === null) throw new Error(`mirror ${row.id} is pending without a desired block`);
  const current = row.ref !== null && row.version !== null ? { ref: row.ref, version: row.version } : null;
  if (current === null) {
    try {
      const written = await provider.createMirror(calendarRef, identity, body, signal);
      return { kind: 'written', how: 'created', ...written, over: null };
    } catch (error) {
      if (!isKind(error, 'precondition')) throw error;
      const found = await provider.findMirror(calendarRef, identity, signal);
      return found === null
        ? { kind: 'burnt' }
        : settleFound(provider, calendarRef, row, identity, body, found, signal);
    }
  }
  if (call === 'check') {
    const found = await provider.findMirror(calendarRef, identity, signal);
    return found === null ? { kind: 'gone' } : settleFound(provider, calendarRef, row, identity, body, found, signal);
  }
  try {
    const written = await provider.updateMirror(calendarRef, current, identity, body, signal);
    return { kind: 'written', how: 'updated', ...written, over: current.version };
  } catch (error) {
    if (isBlockGone(error)) return { kind: 'gone' };
    if (!isKind(error, 'precondition')) throw error;
    const found = await provider.findMirror(calendarRef, identity, signal);
    return found === null ? { kind: 'gone' } : settleFound(provider, calendarRef, row, identity, body, found, signal);
  }
}

/** Something stands under our identity: equal is adopted, ours is written at the version it has now. */
async function settleFound(
  provider: CalendarProvider,
  calendarRef: string,
  row: DueMirror,
  identity: MirrorIdentity,
  body: MirrorBody,
  found: FoundMirror,
  signal: AbortSignal,
): Promise<WriteResult> {
  const known = row.ref !== null && found.ref === row.ref;
  if (found.item.provenance !== 'own' && !known) return { kind: 'burnt' };
  if (contentHash(found.item.body) === row.desiredHash) {
    const { ref, version } = found;
    return { kind: 'written', how: known ? 'verified' : 'adopted', ref, version, over: version };
  }
  const written = await provider.updateMirror(calendarRef, found, identity, body, signal);
  return { kind: 'written', how: 'updated', ...written, over: found.version };
}

async function removeBlock(
  provider: CalendarProvider,
  calendarRef: string,
  row: DueMirror,
  identity: MirrorIdentity,
  signal: AbortSignal,
): Promise<WriteResult> {
  if (row.ref !== null && row.version !== null) {
    try {
      await provider.deleteMirror(calendarRef, { ref: row.ref, version: row.version }, signal);
      return { kind: 'removed' };
    } catch (error) {
      if (isBlockGone(error)) return { kind: 'removed' };
      if (!isKind(error, 'precondition')) throw error;
    }
  }
  const found = await provider.findMirror(calendarRef, identity, signal);
  // not there, or no longer ours: there is nothing left for us to remove
  if (found === null || (found.item.provenance !== 'own' && found.ref !== row.ref)) return { kind: 'removed' };
  try {
    await provider.deleteMirror(calendarRef, found, signal);
  } catch (error) {
    if (!isBlockGone(error)) throw error;
  }
  return { kind: 'removed' };
}

/** Not so where its calendar is not there: one that is shared again has the block in it as it was. */
function isBlockGone(error: unknown): boolean {
  return isKind(error, 'not-found') && (error as ProviderError).code !== calendarGoneCode;
}

function isKind(error: unknown, kind: ProviderError['kind']): boolean {
  return error instanceof ProviderError && error.kind === kind;
}
