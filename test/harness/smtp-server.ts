import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { selfSigned } from './self-signed.ts';

/** A mail that came in completely, whatever was answered. */
export interface ReceivedMail {
  /** RCPT TO: who really gets it. */
  to: string[];
  /** MAIL FROM: who gets bounces. */
  from: string;
  /** Whether it came encrypted. */
  secure: boolean;
  /** As it came. */
  raw: string;
  parsed: Email;
  /** Addresses in its text. */
  links: string[];
}

/** The fault of one attempt to send a mail. */
export type SmtpFault =
  /** Nothing: it is taken. */
  | 'take'
  /** The server answers with this, e.g. `{ at: 'rcpt', answer: '550 5.1.1 no such user' }`. */
  | { at: 'mail' | 'rcpt' | 'data'; answer: string }
  /** The connection breaks in the middle of the mail. */
  | 'drop'
  /** The mail is taken, and the connection breaks before the answer. */
  | 'drop-answer'
  /** The mail is taken, and the answer comes when `release` is called. */
  | 'park';

export interface TestSmtpServer {
  /** For SMTP_URL. */
  url: string;
  received: ReceivedMail[];
  /** Mails received for an address, oldest first. */
  mailsTo(address: string): ReceivedMail[];
  /** Sets faults for the next attempts, one each; later attempts succeed. */
  next(...faults: SmtpFault[]): void;
  /** Addresses of no mailbox. */
  nobodies: Set<string>;
  /** Faults that did not happen yet never will. */
  recover(): void;
  /** Attempts that came as far as naming a recipient. */
  attempts(): number;
  release(): void;
  close(): Promise<void>;
}

export interface SmtpServerOptions {
  /** `starttls` is offered with a certificate nobody trusts; by default there is no encryption. */
  tls?: 'starttls' | 'none';
  /** Demanded of everybody. */
  user?: { name: string; password: string };
}

/** A real SMTP server on a free port of this machine. */
export async function startSmtpServer({ tls = 'none', user }: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const faults: SmtpFault[] = [];
  const nobodies = new Set<string>();
  const sockets = new Map<number, Socket>();
  const faultOf = new WeakMap<object, SmtpFault | undefined>();
  let attempts = 0;
  let released = Promise.withResolvers<void>();

  const take = async (raw: Buffer, session: SMTPServerSession) => {
    const parsed = await PostalMime.parse(raw);
    received.push({
      to: session.envelope.rcptTo.map(({ address }) => address),
      from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
      secure: session.secure,
      raw: raw.toString('utf8'),
      parsed,
      links: (parsed.text ?? '').match(/https?:\/\/\S+/g) ?? [],
    });
  };
  const refusal = (fault: SmtpFault | undefined, at: string) =>
    typeof fault === 'object' && fault.at === at
      ? Object.assign(new Error(fault.answer.slice(4)), { responseCode: Number(fault.answer.slice(0, 3)) })
      : null;

  const server = new SMTPServer({
    ...(tls === 'starttls' ? selfSigned : {}),
    disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...(user === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    authOptional: user === undefined,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth(auth, _session, done) {
      const isRight = auth.username === user?.name && auth.password === user?.password;
      if (isRight) done(null, { user: auth.username });
      else done(Object.assign(new Error('5.7.8 authentication failed'), { responseCode: 535 }));
    },
    onMailFrom(_address, session, done) {
      const fault = faults[0];
      faultOf.set(session.envelope, fault);
      const refused = refusal(fault, 'mail');
      if (refused !== null) faults.shift();
      done(refused);
    },
    onRcptTo({ address }, session, done) {
      attempts += 1;
      if (nobodies.has(address)) {
        done(refusal({ at: 'rcpt', answer: '550 5.1.1 no such user' }, 'rcpt'));
        return;
      }
      faultOf.set(session.envelope, faults.shift());
      done(refusal(faultOf.get(session.envelope), 'rcpt'));
    },
    onData(stream: SMTPServerDataStream, session, done) {
      const fault = faultOf.get(session.envelope);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (fault === 'drop') sockets.get(session.remotePort)?.destroy();
      });
      const finish = async () => {
        if (fault === 'drop') return;
        const refused = refusal(fault, 'data');
        if (refused === null) await take(Buffer.concat(chunks), session);
        if (fault === 'park') await released.promise;
        if (fault === 'drop-answer') sockets.get(session.remotePort)?.destroy();
        else done(refused);
      };
      stream.on('end', () => void finish());
    },
  });
  server.on('error', () => undefined); // connections that a test breaks
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.once('close', () => sockets.delete(port));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const login = user === undefined ? '' : `${user.name}:${encodeURIComponent(user.password)}@`;
  return {
    url: `smtp://${login}127.0.0.1:${port}`,
    received,
    nobodies,
    mailsTo: (address) => received.filter(({ to }) => to.includes(address)),
    next: (...given) => {
      faults.push(...given);
    },
    recover() {
      faults.length = 0;
    },
    attempts: () => attempts,
    release() {
      released.resolve();
      released = Promise.withResolvers();
    },
    async close() {
      for (const socket of sockets.values()) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
