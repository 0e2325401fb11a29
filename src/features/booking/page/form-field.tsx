import type { ChangeEvent } from 'react';
import { isTicked, tick } from '../rules/check-typed.ts';
import type { Question, Words } from '../rules/visit-data.ts';
import { useReading } from './reading.tsx';

interface FieldProps {
  name: string;
  label: string;
  kind: Question['kind'] | 'email';
  required: boolean;
  value: string;
  wrong: string | undefined;
  hint?: string | undefined;
  options?: readonly string[] | undefined;
  autoComplete?: string;
  /** Characters; by its kind unless given. */
  longest?: number;
  onType(name: string, value: string): void;
  onLeave(name: string): void;
}

/** One thing that is asked, with what is wrong about the answer beside it. */
export function FormField(props: FieldProps) {
  const { name, label, kind, required, value, wrong, hint, onType, onLeave } = props;
  const { say } = useReading();
  const longest = props.longest ?? (kind === 'long' ? 5_000 : 500);
  const left = longest - value.length;
  const isNear = left <= Math.max(20, longest / 10);
  const described = [hint && `${name}-hint`, isNear && `${name}-left`, wrong && `${name}-wrong`]
    .filter(Boolean)
    .join(' ');
  const shared = {
    id: name,
    name,
    required,
    'aria-invalid': wrong === undefined ? undefined : true,
    'aria-describedby': described || undefined,
    onBlur: () => onLeave(name),
  } as const;
  const type = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
    onType(name, event.target.value);
  const text = (
    <label htmlFor={name}>
      {label}
      {required ? null : <small> ({say('form.optional')})</small>}
    </label>
  );
  return (
    <div className={kind === 'checkbox' ? 'field tick' : 'field'}>
      {kind === 'checkbox' ? (
        <>
          <input
            {...shared}
            type="checkbox"
            value={tick}
            checked={isTicked(value)}
            onChange={(event) => onType(name, event.target.checked ? tick : '')}
          />
          {text}
        </>
      ) : (
        <>
          {text}
          {kind === 'long' ? (
            <textarea {...shared} rows={3} maxLength={longest} value={value} onChange={type} />
          ) : kind === 'choice' ? (
            <select {...shared} value={value} onChange={type}>
              <option value="">{say('form.choose')}</option>
              {props.options?.map((option) => (
                <option key={option} value={option}>
                  {option}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...shared}
              // with `type="email"` a browser refuses a pasted `"Anna" <anna@example.org>`
              type={kind === 'phone' ? 'tel' : 'text'}
              {...(kind === 'email' ? { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } : {})}
              autoComplete={props.autoComplete}
              maxLength={longest}
              value={value}
              onChange={type}
            />
          )}
        </>
      )}
      {hint === undefined ? null : (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {isNear ? (
        <p className="hint" id={`${name}-left`}>
          {say('form.left', { n: Math.max(0, left) })}
        </p>
      ) : null}
      {wrong === undefined ? null : (
        <p className="wrong" id={`${name}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}

interface LimitedTextProps {
  name: string;
  rows: number;
  required?: boolean;
  /** UTF-16 units. */
  longest: number;
  hint: string;
  value: string;
}

/** The sentences by which count-script.ts says how much of a text is left, by their plural forms. */
function leftIn(words: Words): string {
  const left = Object.entries(words)
    .filter(([key]) => key.startsWith('form.left_'))
    .map(([key, sentence]) => [key.slice('form.left_'.length), sentence]);
  return JSON.stringify(Object.fromEntries(left));
}

/** Shows how much is left of a field once its limit is near. The field names it by `aria-describedby`. */
export function CharactersLeft({ name }: { name: string }) {
  const { words } = useReading();
  return <p className="hint" id={`${name}-left`} data-left={leftIn(words)} data-near="" hidden />;
}

/** A text of limited length in a form: the limit is stated, and count-script.ts shows how much of it is left. */
export function LimitedText({ name, rows, required = false, longest, hint, value }: LimitedTextProps) {
  const { say, reading, words } = useReading();
  return (
    <>
      <textarea
        id={name}
        name={name}
        rows={rows}
        required={required}
        maxLength={longest}
        aria-describedby={`${name}-hint ${name}-left`}
        defaultValue={value}
      />
      <p className="hint" id={`${name}-hint`}>
        {hint}
      </p>
      <p className="hint" id={`${name}-left`} data-left={leftIn(words)}>
        {say('form.longest', { max: new Intl.NumberFormat(reading.locale).format(longest) })}
      </p>
    </>
  );
}
