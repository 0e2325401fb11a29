import { editsContract } from '#features/edits/contract.ts';
import { errorCodeOf } from '#kernel/contract-client.ts';

/** The event is not what it was when it was shown. */
export function isChangedMeanwhile(error: unknown): boolean {
  return errorCodeOf(editsContract.changeEvent, error) === 'CHANGED_MEANWHILE';
}
