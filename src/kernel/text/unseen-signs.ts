/**
 * Signs that change the direction of the text around them, and signs that nobody sees, as the inside of a class of a
 * regular expression. U+202E turns the words beside a name, and the tags from U+E0000 hide a text in it. Joiners and
 * variation selectors are none: letters of some scripts and emoji need them.
 */
export const unseenSigns =
  '\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';

/** The flags of England, Scotland, and Wales, which are written with tags. *Source*: UTS 51, `emoji-sequences.txt`. */
const flag =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}';

/** Joiners between the parts of an emoji, and behind letters of scripts that join letters or part them. */
const joined =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})|' +
  '(?<=(?![\\p{sc=Latn}\\p{sc=Grek}\\p{sc=Cyrl}\\p{sc=Hani}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}])[\\p{L}\\p{M}])[\\u200c\\u200d]';

/** Anything but blanks, marks without a letter, and signs that nobody sees. */
const visible = /[^\p{Z}\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A text of a stranger without such signs; empty where nothing is left to see. */
export function withoutUnseen(text: string): string {
  const plain = text.replace(new RegExp(`(${flag}|${joined})|[${unseenSigns}\\u200c\\u200d]`, 'gu'), '$1');
  return visible.test(plain) ? plain : '';
}
