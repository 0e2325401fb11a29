import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import code from '#ui/code-field.module.css';
import { PlainField, type PlainFieldProps } from '#ui/plain-field.tsx';
import styles from './entrance-field.module.css';

export interface EntranceFieldProps extends PlainFieldProps {
  label: string;
  description?: string;
  error?: ReactNode;
}

/** A plain field with what `TextField` has, whose library is too heavy to come in through. */
export function EntranceField({ label, description, error, ...rest }: EntranceFieldProps) {
  const id = useId();
  const [describedBy, wrong] = [`${id}-about`, `${id}-wrong`];
  const described = [description === undefined ? '' : describedBy, error ? wrong : ''].filter(Boolean).join(' ');
  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {description === undefined ? null : (
        <p id={describedBy} className={styles.description}>
          {description}
        </p>
      )}
      <PlainField id={id} {...rest} aria-invalid={error ? true : undefined} aria-describedby={described || undefined} />
      {error ? (
        <p id={wrong} className={styles.error}>
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** `showLabel`: of the button that shows what was typed, which keys reach too. */
export function EntrancePassword({ showLabel, ...rest }: EntranceFieldProps & { showLabel: string }) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <EntranceField
      {...rest}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="off"
      spellCheck={false}
      required
      end={
        <button
          type="button"
          className={styles.toggle}
          aria-label={showLabel}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon size={18} stroke={1.6} aria-hidden />
        </button>
      }
    />
  );
}

const figuresWanted = 6;

/** The code of an authenticator app, as `CodeField`: whatever is between the figures of a pasted one is left out. */
export function EntranceCode({ onComplete, ...rest }: EntranceFieldProps & { onComplete: (figures: string) => void }) {
  const before = useRef('');
  return (
    <EntranceField
      {...rest}
      inputClass={code.input}
      data-page-focus
      pattern={`[0-9]{${figuresWanted}}`}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      required
      onInput={({ currentTarget: field }) => {
        const figures = field.value.replaceAll(/\D/g, '').slice(0, figuresWanted);
        if (field.value !== figures) field.value = figures;
        if (figures !== before.current && figures.length === figuresWanted) onComplete(figures);
        before.current = figures;
      }}
    />
  );
}
