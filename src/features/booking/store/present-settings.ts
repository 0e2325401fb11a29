import { type RawBuilder, sql } from 'kysely';

/**
 * Settings of an event type with only those calendars that still exist. If none of the chosen calendars can block time any
 * more, all calendars of the host block. An empty choice stays empty, and so does the rest of the settings.
 */
export const presentSettings = (settings: RawBuilder<unknown>) => sql`
  case when ${choosesCalendars(settings)} then ${settings}
    || case when ${blocks(settings)} then jsonb_build_object('blocking_calendar_ids', (
      select case when bool_or(c.id is not null and not exists (select from connections.uncounted u where u.id = c.id))
        then jsonb_agg(chosen.id order by chosen.n) filter (where c.id is not null) else 'null'::jsonb end
      from jsonb_array_elements_text(${settings} -> 'blocking_calendar_ids') with ordinality as chosen(id, n)
        left join connections.calendars c on c.id = chosen.id::uuid)) else '{}' end
    || case when ${isTargeted(settings)} then jsonb_build_object('target_calendar_id', (
      select c.id from connections.calendars c where c.id = (${settings} ->> 'target_calendar_id')::uuid)) else '{}' end
  else ${settings} end`;

/** Whether a calendar of the settings no longer exists. */
export const lacksCalendars = (settings: RawBuilder<unknown>) => sql`
  case when ${choosesCalendars(settings)} then exists (
    select from jsonb_array_elements_text(case when ${blocks(settings)} then ${settings} -> 'blocking_calendar_ids' else '[]' end
        || case when ${isTargeted(settings)} then jsonb_build_array(${settings} ->> 'target_calendar_id') else '[]' end) as chosen(id)
      left join connections.calendars c on c.id = chosen.id::uuid where c.id is null) else false end`;

const blocks = (
  settings: RawBuilder<unknown>,
) => sql`case when jsonb_typeof(${settings} -> 'blocking_calendar_ids') = 'array'
  then jsonb_array_length(${settings} -> 'blocking_calendar_ids') > 0 else false end`;
const isTargeted = (settings: RawBuilder<unknown>) => sql`${settings} ->> 'target_calendar_id' is not null`;
const choosesCalendars = (settings: RawBuilder<unknown>) => sql`(${blocks(settings)} or ${isTargeted(settings)})`;
