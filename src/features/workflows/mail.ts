import type { UserId } from '#kernel/ids.ts';
import { type MailBlock, type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import type { Ask } from './readers.ts';
import type { MailReason, Recipient } from './rules/action.ts';
import type { StepHost } from './steps/values.ts';
import type { Workflow } from './store/workflow-rows.ts';

export const wordsIn = mailWords<typeof en>(import.meta.dirname);

/** Says who had a mail sent, why, and how that ends. */
export function stepFooter({ role, locale, isProved }: Recipient, reason: MailReason, url: string): MailBlock {
  const say = wordsIn(locale);
  const names = { host: quoteName(reason.host.name), title: quoteName(reason.title) };
  if (role === 'owner' || (role === 'host' && reason.ownerId === reason.host.id))
    return { small: say('footer.host'), link: { label: say('footer.workflows'), url } };
  if (role === 'host') return { small: say('footer.team') };
  // a named address, which agreed by a code
  const why = role === 'other' && isProved ? 'agreed' : reason.kind === 'form' ? 'form' : 'booking';
  return { small: say(`footer.${why}`, names), link: { label: say('footer.stop', names), url } };
}

/** A host who hides their address is reached by the page of the booking, which its guest alone has. */
export function sayAnswer({ role, locale }: Recipient, { host, bookedUrl }: MailReason): MailBlock[] {
  if (role === 'host' || role === 'owner' || host.shownEmail !== null) return [];
  const say = wordsIn(locale);
  const small = say('footer.no-answer');
  if (role !== 'guest' || bookedUrl === null) return [{ small }];
  return [{ small, link: { label: say('footer.write', { host: quoteName(host.name) }), url: `${bookedUrl}/message` } }];
}

/**
 * Asks the reader of an address whether a host may send mails of their own words to it. It has none of them, but for the
 * host's name, and it comes from the install.
 */
export function askMail({ run, host, why, to, readerId }: Ask, publicUrl: string): MailMessage {
  const say = wordsIn(to.locale);
  const names = { host: quoteName(host.name) };
  return {
    key: `workflows.ask:${readerId}:${run.key}`,
    kind: 'workflows.ask',
    to: to.address,
    userId: run.userId,
    locale: to.locale,
    unproved: { share: 'named', sender: host.id },
    content: {
      subject: say('ask.subject'),
      heading: say('ask.heading'),
      blocks: [
        { text: say(`ask.${why}`, names) },
        { button: { label: say('ask.button'), url: `${publicUrl}/subscribe/${readerId}` } },
        { small: say('ask.why', names) },
      ],
    },
  };
}

/** To the owner of a workflow, once of a version: a service that it uses is not connected to their account. */
export function unconnectedMail(
  { id, name, version }: Pick<Workflow, 'id' | 'name' | 'version'>,
  { userId, email, locale }: Pick<StepHost, 'userId' | 'email' | 'locale'>,
  publicUrl: string,
): MailMessage {
  const say = wordsIn(locale);
  const names = { workflow: quoteName(name) };
  return {
    key: `workflows.unconnected:${id}:${version}:${userId}`,
    kind: 'workflows.unconnected',
    to: email,
    userId: userId as UserId,
    locale,
    content: {
      subject: say('unconnected.subject', names),
      heading: say('unconnected.heading'),
      blocks: [
        { text: say('unconnected.text', names) },
        { button: { label: say('unconnected.button'), url: `${publicUrl}/workflows` } },
        { small: say('unconnected.why', names) },
      ],
    },
  };
}

/** Asks the reader of an address whether steps may write to it. */
export function addressMail({
  userId,
  address,
  code,
  by,
  locale,
  isReaderHere,
  nowMs,
}: {
  userId: UserId;
  address: string;
  code: string;
  by: string;
  /** The host's language: the reader's is unknown. */
  locale: string;
  /** The address has a confirmed account here. */
  isReaderHere: boolean;
  nowMs: number;
}): MailMessage {
  const say = wordsIn(locale);
  const names = { by: quoteName(by) };
  return {
    key: `workflows.address:${userId}:${address}:${nowMs}`,
    kind: 'workflows.address',
    to: address,
    userId,
    locale,
    content: {
      subject: say('address.subject', names),
      heading: say('address.heading'),
      blocks: [{ text: say('address.text', names) }, { code }, { small: say('address.why') }],
    },
    ...(isReaderHere ? {} : { unproved: { share: 'named' as const, sender: userId } }),
    forget: true,
    expiresAtMs: nowMs + 3_600_000,
  };
}
