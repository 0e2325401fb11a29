import { ApiError } from '#kernel/contract-client.ts';
import { useErrorText } from './error-state.tsx';
import type { Toast } from './toasts.tsx';
import { WayOut, wayOutOf } from './way-out.tsx';
import { useWords } from './words.tsx';

/** Why the server refused, and the way to where that can be changed. */
export function Refusal({ error }: { error: unknown }) {
  const textOf = useErrorText();
  return (
    <>
      {textOf(error)}
      <WayOut error={error} />
    </>
  );
}

/** The same for a message that comes and goes. */
export function useRefusal(): (error: unknown) => Pick<Toast, 'message' | 'action'> {
  const words = useWords();
  const textOf = useErrorText();
  return (error) => {
    const address = wayOutOf(error);
    const action = address === undefined ? {} : { action: { label: words.plans, run: () => location.assign(address) } };
    return { message: textOf(error), ...action };
  };
}

/** A refusal is about what was sent, and goes once that is changed: for the `onInput` of a form. */
export const forgetRefusal = (sent: { isError: boolean; reset: () => void }) => () => {
  if (sent.isError) sent.reset();
};

type Fields = Readonly<Record<string, string>>;

/**
 * The part of a refusal that is still about an editor: the error of a field goes once the field has another value than the one
 * that was sent. Items of lists are known by their ids, so that an error follows its item to another place.
 */
export function openRefusal(
  error: Error | null,
  sent: object | undefined,
  now: object,
): { error: Error | null; errors: Fields } {
  const fields = error instanceof ApiError ? Object.entries(error.fields ?? {}) : [];
  if (sent === undefined || fields.length === 0) return { error, errors: {} };
  const open = fields.flatMap(([path, message]) => {
    const place = placeNow(path.replace(/^body\./, '').split('.'), sent, now);
    return place === null ? [] : [[place, message] as const];
  });
  return { error: open.length === 0 ? null : error, errors: Object.fromEntries(open) };
}

/** The path of a value that was sent, in what is there now; null where it was changed. */
function placeNow(path: readonly string[], sent: unknown, now: unknown): string | null {
  let [before, after]: unknown[] = [sent, now];
  const place = path.map((key) => {
    const item = partOf(before, key);
    const id = partOf(item, 'id');
    const at = Array.isArray(after) && id !== undefined ? after.findIndex((one) => partOf(one, 'id') === id) : key;
    before = item;
    after = partOf(after, String(at));
    return at;
  });
  return JSON.stringify(before) === JSON.stringify(after) ? place.join('.') : null;
}

const partOf = (whole: unknown, key: string): unknown =>
  typeof whole === 'object' && whole !== null ? (whole as Record<string, unknown>)[key] : undefined;
