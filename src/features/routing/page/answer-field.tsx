import { CharactersLeft } from '#features/booking/page/form-field.tsx';
import { useReading } from '#features/booking/page/reading.tsx';
import type { FormData } from '../rules/form-page-data.ts';

interface Props {
  question: FormData['questions'][number];
  typed: readonly string[];
  wrong: string | undefined;
}

/** One question, with what is wrong about the answer beside it. */
export function AnswerField({ question, typed, wrong }: Props) {
  const { say } = useReading();
  const { id, label, hint, kind, required } = question;
  const isTyped = kind !== 'multi-select' && kind !== 'yes-no' && kind !== 'select';
  const described =
    [hint === undefined ? '' : `${id}-hint`, isTyped ? `${id}-left` : '', wrong === undefined ? '' : `${id}-wrong`]
      .filter((one) => one !== '')
      .join(' ') || undefined;
  const title = (
    <>
      {label}
      {required ? null : <small> ({say('form.optional')})</small>}
    </>
  );
  const notes = (
    <>
      {hint === undefined ? null : (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {isTyped ? <CharactersLeft name={id} /> : null}
      {wrong === undefined ? null : (
        <p className="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
    </>
  );
  if (kind === 'multi-select' || kind === 'yes-no') {
    const options =
      kind === 'multi-select'
        ? (question.options ?? [])
        : [
            { id: 'yes', label: say('form-page.yes') },
            { id: 'no', label: say('form-page.no') },
          ];
    return (
      <fieldset className="field group" id={id} aria-describedby={described}>
        <legend>{title}</legend>
        {options.map((option) => (
          <label key={option.id}>
            <input
              type={kind === 'multi-select' ? 'checkbox' : 'radio'}
              name={id}
              value={option.id}
              defaultChecked={typed.includes(option.id)}
              required={kind === 'yes-no' && required}
            />
            {option.label}
          </label>
        ))}
        {notes}
      </fieldset>
    );
  }
  const shared = {
    id,
    name: id,
    required,
    defaultValue: typed[0] ?? '',
    'aria-invalid': wrong === undefined ? undefined : true,
    'aria-describedby': described,
  } as const;
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      {kind === 'long' ? (
        <textarea {...shared} rows={4} maxLength={5_000} />
      ) : kind === 'select' ? (
        <select {...shared}>
          <option value="">{say('form.choose')}</option>
          {question.options?.map((option) => (
            <option key={option.id} value={option.id}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type={kind === 'email' ? 'email' : kind === 'phone' ? 'tel' : 'text'}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          autoComplete={kind === 'email' ? 'email' : kind === 'phone' ? 'tel' : id === 'name' ? 'name' : undefined}
          maxLength={500}
        />
      )}
      {notes}
    </div>
  );
}
