import { AppError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { answerBreaker } from './answer-breaker.ts';
import { changeSettings } from './change-settings.ts';
import { syncContract } from './contract.ts';
import { explainMirror } from './explain-mirror.ts';
import { listGroups } from './list-groups.ts';
import { listMirrorLinks } from './list-mirror-links.ts';
import { previewGroup } from './preview/preview.ts';
import { readEventMirrors } from './read-event-mirrors.ts';
import { removeCalendar } from './remove-calendar.ts';
import { removeGroup } from './remove-group.ts';
import { saveGroup } from './save-group.ts';
import { loadSettings } from './store/settings.ts';
import { syncAccount } from './sync-account.ts';

async function loadGroup(app: App, actor: Actor, groupId: string) {
  const group = (await listGroups(app, actor)).find((one) => one.groupId === groupId);
  if (group === undefined) throw new AppError('not-found', 'NOT_FOUND', 'Mirror group not found.');
  return { group };
}

export const routes = bindRoutes(syncContract, {
  syncAccount: async ({ app, actor, input }) => {
    await syncAccount(app, actor, input.params.accountId);
    return { status: 'syncing' as const };
  },
  readSettings: async ({ app, actor }) => ({ settings: await loadSettings(app.db, actor.userId) }),
  changeSettings: async ({ app, actor, input }) => {
    await changeSettings(app, actor, input.body);
    return { settings: input.body };
  },
  listGroups: async ({ app, actor }) => ({ groups: await listGroups(app, actor) }),
  createGroup: async ({ app, actor, input }) => loadGroup(app, actor, await saveGroup(app, actor, null, input.body)),
  changeGroup: async ({ app, actor, input }) => {
    const { revision, ...group } = input.body;
    return loadGroup(app, actor, await saveGroup(app, actor, { groupId: input.params.groupId, revision }, group));
  },
  removeGroup: async ({ app, actor, input }) => ({ removing: await removeGroup(app, actor, input.params.groupId) }),
  removeCalendar: async ({ app, actor, input }) => {
    await removeCalendar(app, actor, input.params.calendarId as CalendarId);
    return { removing: true as const };
  },
  previewGroup: async ({ app, actor, input }) => {
    const { groupId, ...group } = input.body;
    return { diff: await previewGroup(app, actor, groupId, group) };
  },
  readEventMirrors: ({ app, actor, input }) => readEventMirrors(app, actor, input.params.itemId, input.query.rec_id),
  explainMirror: ({ app, actor, input }) => explainMirror(app, actor, input.query),
  listMirrorLinks: async ({ app, actor, input }) => ({
    links: await listMirrorLinks(app, actor, input.query.item_ids.split(',')),
  }),
  answerBreaker: async ({ app, actor, input }) => {
    await answerBreaker(app, actor, input.params.groupId, input.body);
    return loadGroup(app, actor, input.params.groupId);
  },
});
