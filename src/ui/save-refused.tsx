import { ApiError } from '#kernel/contract-client.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { useErrorText } from './error-state.tsx';

export interface SaveRefusedProps {
  error: Error | null;
  reload: string;
  /** Offered where somebody else saved meanwhile. */
  onReload: () => void;
}

/** Explains why an editor could not be saved. The input is kept. */
export function SaveRefused({ error, reload, onReload }: SaveRefusedProps) {
  const errorText = useErrorText();
  if (error === null) return null;
  const isStale = error instanceof ApiError && error.code === 'STALE';
  return (
    <Banner
      state="bad"
      role="alert"
      actions={
        isStale ? (
          <Button type="button" variant="default" size="xs" onClick={onReload}>
            {reload}
          </Button>
        ) : null
      }
    >
      {errorText(error)}
    </Banner>
  );
}
