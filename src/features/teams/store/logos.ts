import { sql } from 'kysely';
import type { TeamId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { MailLogo } from '#platform/mail-message.ts';

/** The picture of a team, under a new name. */
export async function saveLogo(tx: Tx, logo: { teamId: TeamId; file: string; bytes: Uint8Array }): Promise<void> {
  await sql`
    insert into teams.logos (team_id, file, bytes) values (${logo.teamId}, ${logo.file}, ${Buffer.from(logo.bytes)})
    on conflict (team_id) do update set file = excluded.file, bytes = excluded.bytes, created_at = now()`.execute(tx);
}

export async function deleteLogo(tx: Tx, teamId: TeamId): Promise<void> {
  await sql`delete from teams.logos where team_id = ${teamId}`.execute(tx);
}

/** The picture of this name; that of a deleted team is not shown. */
export async function findLogo(db: Database, file: string): Promise<Uint8Array | null> {
  const { rows } = await sql<{ bytes: Uint8Array }>`
    select l.bytes from teams.logos l join teams.teams t on t.id = l.team_id
    where l.file = ${file} and t.deleted_at is null`.execute(db);
  return rows[0]?.bytes ?? null;
}

/** The name and the picture of a team for mails, in which programs read no WebP; null where it has no such picture. */
export async function findMailLogo(db: Database, teamId: TeamId): Promise<MailLogo | null> {
  const { rows } = await sql<MailLogo>`
    select t.name, translate(encode(l.bytes, 'base64'), E'\\n', '') as png
    from teams.logos l join teams.teams t on t.id = l.team_id
    where t.id = ${teamId} and t.deleted_at is null and l.file like '%.png'`.execute(db);
  return rows[0] ?? null;
}
