import { ApiError } from '#kernel/contract-client.ts';
import { useErrorText } from './error-state.tsx';
import type { Toast } from './toasts.tsx';
import { useWords } from './words.tsx';

/** Where a limit of the plan is changed, if that is what refused. */
const wayOut = (error: unknown) =>
  error instanceof ApiError && error.code === 'PLAN_LIMIT' ? error.fields?.address : undefined;

/** Why the server refused, and the way to where that can be changed. */
export function Refusal({ error }: { error: unknown }) {
  const words = useWords();
  const textOf = useErrorText();
  const address = wayOut(error);
  return (
    <>
      {textOf(error)}
      {address === undefined ? null : (
        <>
          {' '}
          <a href={address}>{words.plans}</a>
        </>
      )}
    </>
  );
}

/** The same for a message that comes and goes. */
export function useRefusal(): (error: unknown) => Pick<Toast, 'message' | 'action'> {
  const words = useWords();
  const textOf = useErrorText();
  return (error) => {
    const address = wayOut(error);
    const action = address === undefined ? {} : { action: { label: words.plans, run: () => location.assign(address) } };
    return { message: textOf(error), ...action };
  };
}
