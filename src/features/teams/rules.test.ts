import { expect, test } from 'vitest';
import { may, teamPermissions, teamRoles } from './rules.ts';

/** Written out, so that whoever changes the table sees what that gives to whom. */
const whole = `
  see-team            owner admin editor viewer
  see-calendars       owner admin editor viewer
  see-analytics       owner admin editor viewer
  see-bookings        owner admin editor
  manage-event-types  owner admin editor
  manage-routing      owner admin editor
  manage-workflows    owner admin editor
  manage-bookings     owner admin
  manage-members      owner admin
  change-team         owner admin
  see-trail           owner admin
  transfer-team       owner
  delete-team         owner`;

test('every team role has exactly the listed permissions', () => {
  const rows = whole.trim().split('\n');
  const wanted = new Map(rows.map((row) => row.trim().split(/\s+/)).map(([name = '', ...roles]) => [name, roles]));
  expect([...wanted.keys()]).toEqual(teamPermissions);
  for (const permission of teamPermissions) {
    expect(
      teamRoles.filter((role) => may(role, permission)),
      permission,
    ).toEqual(wanted.get(permission));
  }
});

test('a higher team role has at least the permissions of the lower ones', () => {
  for (const permission of teamPermissions) {
    const firstWho = teamRoles.findLastIndex((role) => may(role, permission));
    expect(teamRoles.slice(0, firstWho + 1).every((role) => may(role, permission))).toBe(true);
  }
});
