import { useEffect, useRef } from 'react';
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

/**
 * Explains why an editor could not be saved, and shows the first field that is refused: a long form is at its end then. The
 * input is kept.
 */
export function SaveRefused({ error, reload, onReload }: SaveRefusedProps) {
  const errorText = useErrorText();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error === null) return;
    const field = place.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else place.current?.scrollIntoView?.({ block: 'center' });
  }, [error]);
  if (error === null) return null;
  const isStale = error instanceof ApiError && error.code === 'STALE';
  return (
    <div ref={place}>
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
    </div>
  );
}
