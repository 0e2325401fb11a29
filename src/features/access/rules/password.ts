const shortest = 8;
const longestBytes = 4_096;

/** Words and patterns that top every published list of leaked passwords; digits and signs around them change nothing. */
const commonWords = new Set(
  `password passwort passw0rd p@ssword p@ssw0rd pa55word qwerty qwertz azerty qwertyui qwertyuiop asdfghjk asdfghjkl
  zxcvbnm yxcvbnm qazwsx qazwsxedc 1qaz2wsx 1q2w3e4r 1q2w3e4r5t q1w2e3r4 zaq12wsx abcdef abcdefg abcdefgh abcabc iloveyou
  letmein welcome willkommen bienvenue admin administrator root toor guest default changeme change-me secret login
  monkey dragon football baseball basketball superman batman master shadow sunshine princess trustno starwars pokemon
  michael jennifer jordan michelle charlie thomas daniel andrew joshua ashley jessica nicole hannah matthew robert
  computer internet samsung google liverpool chelsea arsenal juventus barcelona mustang ferrari mercedes corvette
  whatever freedom cheese summer winter spring autumn hello hallo bonjour lovely flower butterfly chocolate cookie
  hunter killer soccer hockey ranger buster tigger ginger pepper maggie holdfast calendar test testing demo`.split(
    /\s+/,
  ),
);

/**
 * Why this password cannot be taken, or null. Length counts characters; what is typed counts byte for byte. `isLeaked`
 * looks into a list of leaked ones.
 * *Source*: NIST SP 800-63B 3.1.1: a minimum length and a list of common ones, no rules about kinds of signs.
 */
export function passwordProblem(password: string, email: string, isLeaked: (plain: string) => boolean): string | null {
  if ([...password].length < shortest) return `Use at least ${shortest} characters.`;
  if (new TextEncoder().encode(password).length > longestBytes)
    return 'This password is too long. Choose a shorter one.';
  const plain = password.toLowerCase();
  if (isCommonWord(plain) || isPattern(plain) || isLeaked(plain)) {
    return 'That password is too easy to guess. Use a longer one, such as three random words.';
  }
  if (plain === email || plain === email.split('@', 1)[0]) return "Your password can't be your email address.";
  return null;
}

/** A common word, at most six digits and signs around it. */
function isCommonWord(plain: string): boolean {
  const core = /[a-z].*[a-z]|[a-z]/s.exec(plain)?.[0] ?? '';
  return commonWords.has(plain) || (commonWords.has(core) && plain.length - core.length <= 6);
}

/** `aaaaaaaa`, `abababab`, `12345678`, `9876543210`, `abcdefgh`: few signs, or each a step from the last. */
function isPattern(plain: string): boolean {
  const signs = [...plain];
  const steps = signs.slice(1).map((sign, at) => Math.abs(sign.charCodeAt(0) - plain.charCodeAt(at)));
  return new Set(signs).size < 4 || steps.filter((step) => step > 1).length <= 1;
}
