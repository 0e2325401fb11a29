import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#kernel/errors.ts';
import type { Language } from '#kernel/languages.ts';
import type { App } from './app.ts';
import { noticePolicy, writeNotice } from './notice-document.ts';
import { type Sessions, tongueOf } from './session-cookie.ts';

const retryAfterMs = 60_000;

/** Health, notices of providers, what a browser needs to show anything, how an administrator gets in, and how one leaves a person's place. */
const open =
  /^\/(healthz|readyz|metrics|hooks\/.*|assets\/.*|admin(\/.*)?|auth\/(login|logout|profile|mfa\/.*|passkey\/.*|oauth\/.*)|api\/(session|sign-in-methods|stream|impersonation\/end))$/;
const file = /\.(js|css|svg|png|ico|woff2|webmanifest)$/;

const words = {
  en: {
    title: 'Back soon',
    kept: 'Nothing is lost: what you have booked or set up is as you left it.',
    unsent: 'What you just entered was not sent. Go back to find it as you left it, and send it again later.',
  },
  de: {
    title: 'Gleich wieder da',
    kept: 'Nichts ist verloren: Was Sie gebucht oder eingerichtet haben, bleibt, wie es war.',
    unsent:
      'Ihre letzte Eingabe wurde nicht gesendet. Gehen Sie zurück: Dort ist sie noch da. Senden Sie sie später noch einmal.',
  },
  fr: {
    title: 'De retour bientôt',
    kept: 'Rien n’est perdu : vos réservations et réglages restent tels quels.',
    unsent: 'Votre saisie n’a pas été envoyée. Revenez en arrière pour la retrouver et renvoyez-la plus tard.',
  },
  es: {
    title: 'Volvemos enseguida',
    kept: 'No se ha perdido nada: lo que reservaste o configuraste sigue como estaba.',
    unsent: 'Lo que acabas de escribir no se ha enviado. Vuelve atrás, donde sigue escrito, y envíalo más tarde.',
  },
  ja: {
    title: 'まもなく再開します',
    kept: '予約や設定はそのまま保存されています。',
    unsent: '入力内容は送信されていません。前のページに戻り、あとでもう一度送信してください。',
  },
} as const satisfies Record<Language, object>;

/** While the operator works on the install: a calm page for people, a clear refusal for programs, nothing taken by halves. */
export function addMaintenance(server: FastifyInstance, app: App, sessions: Sessions): void {
  server.addHook('onRequest', async (request, reply) => {
    const note = app.maintenance.current();
    const path = request.url.split('?', 1)[0] ?? '';
    if (note === null || open.test(path) || file.test(path)) return;
    if ((await sessions.identify(request, reply))?.role === 'admin') return;
    if (!(request.headers.accept ?? '').includes('text/html')) {
      throw new AppError('unavailable', 'MAINTENANCE', `${note.message} Nothing was changed by this call.`, {
        retryAfterMs,
      });
    }
    reply.removeHeader('x-frame-options');
    return reply
      .code(503)
      .header('retry-after', retryAfterMs / 1000)
      .header('content-security-policy', noticePolicy(true))
      .type('text/html; charset=utf-8')
      .send(renderPage(request, note.message));
  });
}

function renderPage(request: FastifyRequest, message: string): string {
  const { language } = tongueOf(request);
  const { title, kept, unsent } = words[language as Language] ?? words.en;
  const isForm = request.method !== 'GET' && request.method !== 'HEAD';
  return writeNotice({
    language,
    title,
    text: message,
    more: isForm ? unsent : kept,
    refreshSeconds: isForm ? undefined : retryAfterMs / 1000,
  });
}
