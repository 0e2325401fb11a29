/**
 * Signs that change the direction of the text around them, and signs that nobody sees, as the inside of a class of a
 * regular expression. U+202E turns the words beside a name. Joiners between letters of some scripts and in emoji are none.
 */
export const unseenSigns =
  '\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb';

/** A text of a stranger without such signs. */
export const withoutUnseen = (text: string): string => text.replace(new RegExp(`[${unseenSigns}]`, 'gu'), '');
