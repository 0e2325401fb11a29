import { ownName } from '#kernel/product-name.ts';
import type { Brand } from './brand.ts';
import type { MailLook } from './mail-layout.ts';
import type { InlinePicture, Mailbox } from './mail-transport.ts';

const logoHigh = 28;
const logoCid = 'logo';

/** How a mail looks, whom it is from, and the picture that it brings along: nothing is loaded when it is opened. */
export function lookOfMail(
  { name, accent, steps, logo, logoBytes }: Brand,
  from: Mailbox,
  place: 'mail' | 'preview' = 'mail',
): { look: MailLook; from: Mailbox; picture: InlinePicture | undefined } {
  // a name that the operator gave in MAIL_FROM is what they want there
  const sender = from.name === ownName ? name : from.name;
  const isShown = logo !== null && logoBytes !== null;
  const high = isShown ? Math.min(logoHigh, logo.height) : 0;
  return {
    look: {
      name: sender,
      accent,
      isOwn: steps === null && logo === null,
      logo: isShown
        ? {
            src:
              place === 'mail'
                ? `cid:${logoCid}`
                : `data:image/png;base64,${Buffer.from(logoBytes).toString('base64')}`,
            width: Math.round((logo.width * high) / logo.height),
            height: high,
          }
        : null,
    },
    from: { ...from, name: sender },
    picture: isShown ? { cid: logoCid, bytes: logoBytes } : undefined,
  };
}
