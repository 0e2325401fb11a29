import { createTransport } from 'nodemailer';
import type { Config } from '#platform/config.ts';
import type { Finding } from './finding.ts';

const subject = 'Mail';

/** The SMTP server takes our greeting, our encryption and our password; nothing is sent. */
export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === undefined) {
    return {
      subject,
      state: 'note',
      says: 'no SMTP_URL is set: no mail is sent',
      mend: 'Set SMTP_URL to your mail server.',
    };
  }
  const transport = createTransport(smtpUrl, { connectionTimeout: 10_000, greetingTimeout: 10_000 } as object);
  const { host } = new URL(smtpUrl);
  try {
    await transport.verify();
    return { subject, state: 'ok', says: `${host} takes our greeting and password` };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return {
      subject,
      state: 'bad',
      says: `${host}: ${message.split('\n')[0]}`,
      mend:
        code === 'EAUTH'
          ? 'Check user and password in SMTP_URL; characters like @ and : are written %40 and %3A there.'
          : 'Check host and port in SMTP_URL: smtps://…:465, or smtp://…:587 for STARTTLS.',
    };
  } finally {
    transport.close();
  }
}
