import { createHash } from 'node:crypto';
import { invalid } from './errors.ts';
import type { StoredEvent } from './stored-event.ts';

type Body = Record<string, unknown>;

interface Asked {
  requestId?: unknown;
  conferenceSolutionKey?: { type?: unknown };
}

/**
 * A body with the conference that it asks for. Without version 1 a client is taken to know of none: what it says of one
 * is passed over, and what stands stays. The same `requestId` gives the same meeting.
 *
 * Source: Google Calendar API, Events: insert, "conferenceDataVersion"; "Create events", conferenceData.createRequest.
 */
export function withConference(
  { conferenceData, ...body }: Body,
  query: URLSearchParams,
  { standing, isPending }: { standing?: unknown; isPending: boolean },
): Body {
  if (query.get('conferenceDataVersion') !== '1') return standing ? { ...body, conferenceData: standing } : body;
  if (conferenceData === undefined) return body;
  const asked = (conferenceData as { createRequest?: Asked } | null)?.createRequest;
  if (asked === undefined) return { ...body, conferenceData };
  if (typeof asked.requestId !== 'string' || asked.requestId === '') throw invalid('Missing conference request id.');
  if (asked.conferenceSolutionKey?.type !== 'hangoutsMeet') throw invalid('Invalid conference type value.');
  return { ...body, conferenceData: isPending ? pending(asked) : made(asked) };
}

const pending = (asked: Asked) => ({ createRequest: { ...asked, status: { statusCode: 'pending' } } });

function made(asked: Asked) {
  const letters = createHash('sha256')
    .update(String(asked.requestId))
    .digest()
    .toReversed()
    .reduce((text, byte) => text + String.fromCharCode(97 + (byte % 26)), '');
  const conferenceId = `${letters.slice(0, 3)}-${letters.slice(3, 7)}-${letters.slice(7, 10)}`;
  const address = `meet.google.com/${conferenceId}`;
  return {
    createRequest: { ...asked, status: { statusCode: 'success' } },
    entryPoints: [{ entryPointType: 'video', uri: `https://${address}`, label: address }],
    conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
    conferenceId,
  };
}

/** Returns a pending conference as finished by Google. */
export function finishConference({ fields }: StoredEvent): unknown {
  const { createRequest } = (fields.conferenceData ?? {}) as { createRequest?: Asked & { status?: unknown } };
  if (createRequest === undefined) throw new Error('nobody asked for a conference of this event');
  const { status: _, ...asked } = createRequest;
  return made(asked);
}

/** Source: Events resource, "hangoutLink". */
export function hangoutLinkOf({ fields }: StoredEvent): { hangoutLink?: string } {
  const { entryPoints = [] } = (fields.conferenceData ?? {}) as {
    entryPoints?: { entryPointType?: string; uri?: string }[];
  };
  const uri = entryPoints.find(({ entryPointType }) => entryPointType === 'video')?.uri;
  return uri?.startsWith('https://meet.google.com/') ? { hangoutLink: uri } : {};
}
