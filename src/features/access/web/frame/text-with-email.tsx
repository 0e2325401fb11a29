import { useEntrance } from './use-entrance.ts';

export interface TextWithEmailProps {
  /** Translation key of a text with `{{email}}` in it. */
  text: string;
  email: string;
}

/** A text with the address made plain in it. */
export function TextWithEmail({ text, email }: TextWithEmailProps) {
  const { t } = useEntrance();
  const [before, after] = t(text, { email: '\n' }).split('\n');
  return (
    <>
      {before}
      <strong>{email}</strong>
      {after}
    </>
  );
}

/** The `email` of a mailed link; empty where it is no address: anybody may write a link, and a page shows it. */
export function addressOf(email = ''): string {
  return email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email) ? email : '';
}
