import { sql } from 'kysely';
import type { TestApp } from './test-app.ts';

/** From now on each guest of this install has shown to read the mail of their address. */
export async function proveGuests({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await sql`create function booking.prove_guest() returns trigger language plpgsql as $$ begin
    new.mail_confirmed_ms := coalesce(new.mail_confirmed_ms, new.created_ms); return new; end $$`.execute(app.db);
  await sql`create trigger prove_guest before insert or update on booking.bookings
    for each row when (new.guest_email is not null) execute function booking.prove_guest()`.execute(app.db);
}
