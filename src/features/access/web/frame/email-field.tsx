import { type RefObject, useEffect } from 'react';
import { EntranceField } from './entrance-field.tsx';
import { useEntrance } from './use-entrance.ts';

/** With what was typed on the page before, as long as nothing is typed here. */
export function EmailField({ ref }: { ref: RefObject<HTMLInputElement | null> }) {
  const { t, place } = useEntrance();
  const { email } = place.carried;
  useEffect(() => {
    if (ref.current?.value === '') ref.current.value = email ?? '';
  }, [ref, email]);
  return (
    <EntranceField
      ref={ref}
      label={t('access.email')}
      type="email"
      name="email"
      autoComplete="username"
      autoCapitalize="off"
      spellCheck={false}
      required
    />
  );
}
