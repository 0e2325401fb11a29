import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { defaultSettings, type TypeKind, type TypeSettings } from '../../src/features/booking/rules/type-settings.ts';
import { insertType } from '../../src/features/booking/store/event-type-rows.ts';
import type { EventTypeId } from '../../src/kernel/ids.ts';
import { hashToken } from '../../src/platform/crypto.ts';
import { inTransaction } from '../../src/platform/db.ts';
import type { TestApp } from './test-app.ts';
import type { TestUser } from './test-client.ts';

/** Something that can be booked: `/anna/intro`, on weekdays from nine to five in New York, without notice. */
export interface Bookable {
  typeId: EventTypeId;
  /** Path prefix of its public calls. */
  path: string;
}

/** Gives a person a handle and an event type. */
export async function insertBookable(
  server: Pick<TestApp, 'app'>,
  user: Pick<TestUser, 'userId' | 'email'>,
  slug: string,
  more: Partial<TypeSettings> & { kind?: TypeKind } = {},
): Promise<Bookable> {
  const { kind = 'one-on-one', ...settings } = more;
  const handle = user.email.replace(/@.*$/, '');
  const typeId = randomUUID() as EventTypeId;
  await inTransaction(server.app.db, async (tx) => {
    await sql`insert into booking.handles (look, handle, user_id) values (${hashToken(handle)}, ${handle}, ${user.userId})
      on conflict do nothing`.execute(tx);
    await insertType(tx, {
      id: typeId,
      userId: user.userId,
      slug,
      title: 'Intro',
      description: '',
      kind,
      hidden: false,
      secret: false,
      settings: {
        ...defaultSettings(kind),
        notice_minutes: 0,
        location: { kind: 'link', url: 'https://meet.example.org/anna' },
        ...settings,
      },
    });
  });
  return { typeId, path: `/api/book/${handle}/${slug}` };
}

/** Puts all appointments into a Google calendar of this person, which creates Google Meet links. No Google takes part. */
export async function moveToGoogle({ app }: Pick<TestApp, 'app'>, { userId }: Pick<TestUser, 'userId'>): Promise<void> {
  const [connectionId, calendarId] = [randomUUID(), randomUUID()];
  await sql`insert into connections.connections (id, user_id, provider, label, base_url, username, secret)
    values (${connectionId}, ${userId}, 'google', 'Google', 'https://127.0.0.1/', ${connectionId}, 'none')`.execute(
    app.db,
  );
  await sql`insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable)
    values (${calendarId}, ${connectionId}, ${userId}, 'primary', 'Work', '#336699', true)`.execute(app.db);
  await sql`update booking.appointments set calendar_id = ${calendarId}`.execute(app.db);
}
