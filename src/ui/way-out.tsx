import { ApiError } from '#kernel/contract-client.ts';
import { useWords } from './words.tsx';

/** Where a limit of the plan is changed, if that is what refused. */
export const wayOutOf = (error: unknown) =>
  error instanceof ApiError && error.code === 'PLAN_LIMIT' ? error.fields?.address : undefined;

/** After why the server refused: the way to where that can be changed, if there is one. */
export function WayOut({ error }: { error: unknown }) {
  const words = useWords();
  const address = wayOutOf(error);
  return address === undefined ? null : (
    <>
      {' '}
      <a href={address}>{words.plans}</a>
    </>
  );
}
