import { ApiError } from '#kernel/api-error.ts';
import { useEntrance } from './use-entrance.ts';

/** What is read at an entrance for any thrown value; as `useErrorText` in the app. */
export function useRefusalText(): (error: unknown) => string {
  const { t } = useEntrance();
  return (error) => (error instanceof ApiError ? error.message : t('ui.unexpected'));
}
