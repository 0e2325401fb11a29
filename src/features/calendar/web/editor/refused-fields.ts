import { editsContract } from '#features/edits/contract.ts';
import { ApiError, errorCodeOf } from '#kernel/contract-client.ts';

/** Fields of the form, as the call names them. */
const formFields = ['title', 'calendar_id', 'when', 'recurrence', 'location', 'meeting_link', 'description'] as const;

/** Refusals of single fields. The form shows other refusals above its buttons. */
export function refusedFields(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const named: Record<string, string> = {};
  for (const [path, message] of Object.entries(error.fields)) {
    // `changes.when.start` and `when.start` are the same field here.
    const field = formFields.find((one) => path.split('.').includes(one));
    if (field !== undefined) named[field] ??= message;
  }
  if (Object.keys(named).length > 0) return named;
  switch (errorCodeOf(editsContract.changeEvent, error)) {
    case 'BAD_TIME':
      return { when: error.message };
    case 'BAD_RECURRENCE':
      return { recurrence: error.message };
    case 'READ_ONLY':
      return { calendar_id: error.message };
    default:
      return {};
  }
}
