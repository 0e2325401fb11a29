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
