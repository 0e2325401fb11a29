import { useState } from 'react';
import { ApiError } from '#kernel/contract-client.ts';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { EmptyArt } from './empty-art.tsx';
import styles from './empty-state.module.css';
import own from './error-state.module.css';
import { errorTextOf } from './error-text.ts';
import { WayOut } from './way-out.tsx';
import { useWords } from './words.tsx';

/** `errorTextOf`, in the person's language. */
export function useErrorText(): (error: unknown) => string {
  const words = useWords();
  return (error) => errorTextOf(error, words);
}

/**
 * Replaces content that could not be fetched: the error, Retry, and the request id to copy. Missing content shows only
 * that fact, because a retry would not bring it back.
 */
export function ErrorState({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const words = useWords();
  const textOf = useErrorText();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  if (error instanceof ApiError && error.code === 'NOT_FOUND')
    return (
      <div className={styles.empty} role="alert">
        <EmptyArt name="missing" />
        <h2 className={styles.title}>{textOf(error)}</h2>
      </div>
    );
  return (
    <div className={styles.empty} role="alert">
      <EmptyArt name="missing" />
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>
        {textOf(error)}
        <WayOut error={error} />
      </p>
      <div className={styles.action}>
        <Button variant="default" onClick={onRetry}>
          {words.retry}
        </Button>
      </div>
      {requestId ? <RequestId id={requestId} /> : null}
    </div>
  );
}

function RequestId({ id }: { id: string }) {
  const words = useWords();
  const [copied, setCopied] = useState<boolean | null>(null);
  return (
    <p className={own.request}>
      {words.requestId} <code>{id}</code>{' '}
      <button type="button" className={own.copy} onClick={() => void copyText(id).then(setCopied)}>
        {copied === null ? words.copy : copied ? words.copied : words.copyRefused}
      </button>
    </p>
  );
}
