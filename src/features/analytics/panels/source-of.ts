import { faceOf } from '#features/connections/public.ts';
import { type MeetingSource, meetingSources } from '../rules/measures.ts';

/** Where a meeting came from: here, or the provider of its calendar. */
export function sourceOf({ provider, profile }: { provider: string | null; profile: string | null }): MeetingSource {
  if (provider === null) return 'direct';
  const { word } = faceOf({ provider, profile: profile ?? '' });
  return meetingSources.find((source) => source === word && source !== 'direct') ?? 'other';
}
