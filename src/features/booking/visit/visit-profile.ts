import { findHost } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { fillWords } from '../rules/fill-words.ts';
import { handlePattern, isReserved } from '../rules/handle.ts';
import { showLocation } from '../rules/show-offer.ts';
import type { ProfileData } from '../rules/visit-data.ts';
import { listTypes } from '../store/event-type-rows.ts';
import { findHandle } from '../store/handles.ts';
import { readVisitor } from './read-visitor.ts';
import { showHost } from './show-host.ts';
import { showNotice } from './show-notice.ts';

/** All that somebody offers, at `/{handle}`. Null where the product itself may have something. */
export async function visitProfile(app: App, call: PageCall): Promise<PageAnswer | null> {
  const { handle = '' } = call.params;
  // the start page is no handle either
  if (!handlePattern.test(handle.toLowerCase()) || isReserved(handle.toLowerCase()) || !call.wantsHtml) return null;
  const owner = await findHandle(app.db, handle.toLowerCase());
  const host = owner === null ? null : await findHost(app.db, owner.userId);
  if (owner === null || host === null) return showNotice(call, 'nobody', { status: 404 });
  if (owner.handle !== handle) return { kind: 'go', to: `/${owner.handle}` };
  const visitor = readVisitor(call, { zone: host.zone });
  const types = await listTypes(app.db, owner.userId);
  const data: ProfileData = {
    words: visitor.words,
    reading: visitor.reading,
    host: showHost({ host, handle: owner.handle }),
    types: types
      .filter(({ hidden, secret, settings }) => !hidden && !secret && !settings.paused)
      .map(({ slug, title, description, settings }) => ({
        path: `/${owner.handle}/${slug}`,
        title,
        description,
        durations: settings.durations_minutes,
        location: showLocation(settings.location),
      })),
  };
  const title = fillWords(visitor.words, 'profile.title', { host: host.name });
  return {
    kind: 'page',
    page: {
      name: 'profile',
      data,
      title,
      description: title,
      language: visitor.language,
      frames: null,
      unlisted: false,
    },
  };
}
