import { useTranslation } from 'react-i18next';

export interface TextWithEmailProps {
  /** Translation key of a text with `{{email}}` in it. */
  text: string;
  email: string;
}

/** A text with the address made plain in it. `Trans` of react-i18next does this for 4 KB of every first visit. */
export function TextWithEmail({ text, email }: TextWithEmailProps) {
  const { t } = useTranslation();
  const [before, after] = t(text, { email: '\n' }).split('\n');
  return (
    <>
      {before}
      <strong>{email}</strong>
      {after}
    </>
  );
}
