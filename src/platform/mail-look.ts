import { brandScale } from '#kernel/brand-scale.ts';
import { chooseTongue } from '#kernel/languages.ts';
import { ownName } from '#kernel/product-name.ts';
import type { Brand } from './brand.ts';
import type { MailLook } from './mail-layout.ts';
import type { Mailbox, MailLogo } from './mail-message.ts';
import type { MailBody } from './mail-outbox.ts';
import type { InlinePicture } from './mail-transport.ts';
import { ownWords } from './own-words.ts';

const logoHigh = 28;
const logoCid = 'logo';

/** The side of the logo of a team, in pixels as it is shown. */
const teamLogoSide = 40;

/**
 * How a mail looks, its sender, and the picture that it brings along: nothing is loaded when it is opened. `color` and `logo`:
 * chosen for this mail.
 */
export function lookOfMail(
  { name, accent, steps, logo, logoBytes }: Brand,
  from: Mailbox,
  { color, logo: ownLogo, place = 'mail' }: Pick<MailBody, 'color' | 'logo'> & { place?: 'mail' | 'preview' } = {},
): { look: MailLook; from: Mailbox; picture: InlinePicture | undefined } {
  // a name that the operator gave in MAIL_FROM is what they want there
  const sender = from.name === ownName ? name : from.name;
  const shown = ownLogo === undefined ? ofInstall({ logo, logoBytes }, sender) : ofTeam(ownLogo);
  return {
    look: {
      name: sender,
      accent: color === undefined ? accent : brandScale(color)[6],
      isOwn: steps === null && shown === null && color === undefined,
      logo: shown && {
        src:
          place === 'mail' ? `cid:${logoCid}` : `data:image/png;base64,${Buffer.from(shown.bytes).toString('base64')}`,
        alt: shown.name,
        width: shown.width,
        height: shown.height,
      },
    },
    from: { ...from, name: sender },
    picture: shown === null ? undefined : { cid: logoCid, bytes: shown.bytes },
  };
}

interface ShownLogo {
  name: string;
  bytes: Uint8Array;
  /** In pixels as it is shown. */
  width: number;
  height: number;
}

function ofInstall({ logo, logoBytes }: Pick<Brand, 'logo' | 'logoBytes'>, name: string): ShownLogo | null {
  if (logo === null || logoBytes === null) return null;
  const height = Math.min(logoHigh, logo.height);
  return { name, bytes: logoBytes, width: Math.round((logo.width * height) / logo.height), height };
}

const ofTeam = ({ name, png }: MailLogo): ShownLogo => ({
  name,
  bytes: Buffer.from(png, 'base64'),
  width: teamLogoSide,
  height: teamLogoSide,
});

type Headed = Pick<MailBody, 'locale' | 'fromName' | 'replyTo'>;

/**
 * `Ada Nilsson via Holdfast`, from the address of the install. A name that could pass for an address or for the install
 * is left out: `via Holdfast`.
 */
export function senderOf({ locale, fromName }: Headed, install: Mailbox): Mailbox {
  if (fromName === undefined) return install;
  const words = ownWords(chooseTongue([locale]).language);
  const person = passesFor(fromName, install.name) ? '' : fromName;
  const name = words['mail.via'].replace(/\{(person|name)\}/g, (_, key) => (key === 'person' ? person : install.name));
  return { ...install, name: name.trim() };
}

/** Where an answer goes: the name is left out as in `senderOf`. */
export function replyToOf({ replyTo }: Headed, install: Mailbox): Mailbox | undefined {
  if (replyTo === undefined || !passesFor(replyTo.name, install.name)) return replyTo;
  return { name: '', address: replyTo.address };
}

/** A short name of an install may be part of many names of people, as a word it is taken for it. */
const shortestPart = 6;

/** Programs show a name instead of the address beside it. */
function passesFor(person: string, install: string): boolean {
  const words = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const [mine, theirs] = [words(install), words(person)];
  const whole = mine.join('');
  return (
    person.normalize('NFKC').includes('@') ||
    ` ${theirs.join(' ')} `.includes(` ${mine.join(' ')} `) ||
    (whole.length >= shortestPart && theirs.join('').includes(whole))
  );
}
