import type { Moment } from '#emulators/kit/emulator.ts';
import type { Reply, Request } from '#emulators/kit/exchange.ts';
import { waitForRoom } from '#emulators/kit/sliding-window.ts';
import { word } from './errors.ts';
import { keepMessage, type World } from './world.ts';

/** Source: "Sending messages using incoming webhooks"; "Improving error conditions for Incoming Webhooks" (2016-05-17). */
export function answerWebhook(world: World, { path, body }: Request, { nowMs }: Moment): Reply {
  const hook = world.webhooks.get(path);
  if (hook === undefined || hook.disabled) return word(404, 'no_service');
  const channel = world.channels.get(hook.channel);
  if (channel === undefined) return word(404, 'channel_not_found');
  if (channel.archived) return word(410, 'channel_is_archived');
  const text = textOf(body);
  if (text === null) return word(400, 'invalid_payload');
  if (text === '') return word(400, 'no_text');
  const recent = world.recent.get(path) ?? [];
  world.recent.set(path, recent);
  if (waitForRoom(recent, nowMs, 1_000, world.knobs.perSecond) !== null) {
    return word(429, 'rate_limited', { 'retry-after': '1' });
  }
  keepMessage(world, { channel: channel.id, text, by: 'webhook', botId: 'B0WEBHOOK', metadata: null }, nowMs);
  return word(200, 'ok');
}

/** Null for what is no payload. */
function textOf(body: string): string | null {
  try {
    const payload = JSON.parse(body) as { text?: unknown };
    if (payload.text === undefined) return '';
    return typeof payload.text === 'string' ? payload.text : null;
  } catch {
    return null; // SyntaxError: no JSON
  }
}
