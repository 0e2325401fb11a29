import { Logo } from '#ui/logo.tsx';
import { PlainSelect } from '#ui/plain-field.tsx';
import { GuestFrame, type GuestFrameProps } from './guest-frame.tsx';
import { useEntrance } from './use-entrance.ts';

/** The card of an entrance, in the looks and the languages of the install. */
export function EntranceFrame(props: Omit<GuestFrameProps, 'logo' | 'foot'>) {
  const { t, brand, language, languages, speak } = useEntrance();
  return (
    <GuestFrame
      {...props}
      logo={<Logo name={t('shell.product')} brand={brand} />}
      foot={
        <PlainSelect
          aria-label={t('access.language')}
          data={languages}
          value={language}
          onChange={(event) => speak(event.currentTarget.value)}
        />
      }
    />
  );
}
