import { useState } from 'react';
import { ApiError } from '#kernel/contract-client.ts';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { EmptyArt } from './empty-art.tsx';
import styles from './empty-state.module.css';
import own from './error-state.module.css';
import { WayOut } from './way-out.tsx';
import { useWords } from './words.tsx';

/** What the person reads for any thrown value; a bug of ours does not show its insides. */
export function useErrorText(): (error: unknown) => string {
  const words = useWords();
  return (error) => {
    if (!(error instanceof ApiError)) return words.unexpected;
    // what the server says is in the person's language; these two the browser says for it
    if (error.code === 'NETWORK') return words.unreachable;
    return error.message === 'Request failed' ? words.failed : error.message;
  };
}

/** Instead of content that could not be fetched: what happened, Retry, and the request id to copy. */
export function ErrorState({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const words = useWords();
  const textOf = useErrorText();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
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
