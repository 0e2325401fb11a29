import { type ReactNode, useRef } from 'react';
import { Avatar } from './avatar.tsx';
import { ActionButton, Button } from './button.tsx';
import styles from './picture-field.module.css';

const MOST_BYTES = 2 * 1024 * 1024;

export interface PictureFieldProps {
  initials: string;
  picture: string | null;
  /** Drawn in place of the round picture. */
  shown?: ReactNode;
  /** The last chosen file. */
  chosen: File | null | undefined;
  pending: boolean;
  /** Why the server refused it. */
  problem: ReactNode;
  /** Said of a file that is larger than any that is taken. */
  tooLarge: string;
  words: Record<'choose' | 'change' | 'remove' | 'uploading' | 'hint', string>;
  /** Null: none. */
  onChange: (file: File | null) => void;
}

/** A picture that is changed at once: what is chosen is uploaded, and shown as the server made it. */
export function PictureField(props: PictureFieldProps) {
  const { picture, chosen, pending, problem, words, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const isTooLarge = (chosen?.size ?? 0) > MOST_BYTES;
  return (
    <div className={styles.field}>
      {props.shown ?? <Avatar size="lg" initials={props.initials} picture={picture} />}
      <div className={styles.change}>
        <div className={styles.buttons}>
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/webp,image/gif"
            aria-label={words.choose}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = ''; // the same file may be chosen again
              if (file) onChange(file);
            }}
          />
          <ActionButton
            type="button"
            variant="default"
            pending={pending}
            pendingLabel={words.uploading}
            onClick={() => input.current?.click()}
          >
            {picture === null ? words.choose : words.change}
          </ActionButton>
          {picture === null || pending ? null : (
            <Button variant="subtle" color="gray" onClick={() => onChange(null)}>
              {words.remove}
            </Button>
          )}
        </div>
        <p className={styles.hint} role="status">
          {problem === null ? (
            words.hint
          ) : (
            <span className={styles.error}>{isTooLarge ? props.tooLarge : problem}</span>
          )}
        </p>
      </div>
    </div>
  );
}
