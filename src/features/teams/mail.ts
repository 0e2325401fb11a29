import { randomUUIDv7 } from 'node:crypto';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Config } from '#platform/config.ts';
import { type MailMessage, quoteAddress, quoteName } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import { invitationDays } from './rules.ts';
import type { Invitation } from './store/invitations.ts';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

interface Person {
  id: UserId;
  email: string;
  name: string | null;
  locale: string;
}

const answersTo = ({ name, email }: Person) => ({
  fromName: name ?? '',
  replyTo: { name: name ?? '', address: email },
});

const nameOf = ({ name, email }: Person) => quoteName(name ?? email);

interface InvitationFacts {
  invitation: Invitation;
  token: string;
  tokenHash: Buffer;
  team: string;
  inviter: Person;
  /** The address has a confirmed account here. */
  isReaderHere: boolean;
  /** False: the mail has no words of the inviter, only the confirmed address of their account. */
  isQuoted: boolean;
}

/** To an address, whoever reads it: in the language of who invites, as nobody knows theirs. */
export function invitationMail({ publicUrl }: Pick<Config, 'publicUrl'>, facts: InvitationFacts): MailMessage {
  const { invitation, token, tokenHash, inviter, isReaderHere, isQuoted } = facts;
  const say = wordsIn(inviter.locale);
  const names = { inviter: nameOf(inviter), team: quoteName(facts.team), address: quoteAddress(inviter.email) };
  const role = say(`invitation.role.${invitation.role}`);
  const subject = say(isQuoted ? 'invitation.subject' : 'invitation.plain.subject', names);
  return {
    key: `teams.invitation:${tokenHash.toString('hex').slice(0, 32)}`,
    kind: 'teams.invitation',
    to: invitation.email,
    ...(isQuoted ? answersTo(inviter) : { replyTo: { name: '', address: inviter.email } }),
    userId: null,
    locale: inviter.locale,
    ...(isReaderHere ? {} : { unproved: { share: 'named' as const, sender: inviter.id } }),
    forget: true,
    content: {
      subject,
      heading: subject,
      blocks: [
        { text: say(isQuoted ? 'invitation.text' : 'invitation.plain.text', { ...names, role }) },
        { text: say('invitation.account') },
        { button: { label: say('invitation.action'), url: `${publicUrl}/join?token=${token}` } },
        { small: say('invitation.why', { days: invitationDays }) },
      ],
    },
  };
}

/** To a member whom the owner would like to own the team. */
export function transferMail(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  asked: Person,
  { teamId, team, owner }: { teamId: TeamId; team: string; owner: Person },
): MailMessage {
  const say = wordsIn(asked.locale);
  const names = { owner: nameOf(owner), team: quoteName(team) };
  return {
    key: `teams.transfer:${randomUUIDv7()}`,
    kind: 'teams.transfer',
    to: asked.email,
    ...answersTo(owner),
    userId: asked.id,
    locale: asked.locale,
    content: {
      subject: say('transfer.subject', names),
      heading: say('transfer.subject', names),
      blocks: [
        { text: say('transfer.text', names) },
        { button: { label: say('transfer.action'), url: `${publicUrl}/team?team=${teamId}` } },
        { small: say('transfer.why') },
      ],
    },
  };
}
