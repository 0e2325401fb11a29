import { useTranslation } from 'react-i18next';
import { languages, nameOfLanguage } from '#kernel/languages.ts';
import { changeLanguage } from '#ui/load-words.ts';
import { PlainSelect } from '#ui/plain-field.tsx';

const choices = languages.map((value) => ({ value, label: nameOfLanguage(value) }));

/** For who is not signed in; whoever is has it among their preferences. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <PlainSelect
      aria-label={t('access.language')}
      data={choices}
      value={i18n.language}
      onChange={(event) => changeLanguage(event.currentTarget.value)}
    />
  );
}
