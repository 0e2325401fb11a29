import { errorTextOf } from '#ui/error-text.ts';
import { useEntrance } from './use-entrance.ts';

/** The message of an auth page for any thrown value, as `useErrorText` in the app. */
export function useRefusalText(): (error: unknown) => string {
  const { t } = useEntrance();
  const words = { unexpected: t('ui.unexpected'), unreachable: t('ui.unreachable'), failed: t('ui.failed') };
  return (error) => errorTextOf(error, words);
}
