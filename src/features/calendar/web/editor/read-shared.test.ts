import { expect, it } from 'vitest';
import { readShared } from './read-shared.ts';

it('finds the link of what was shared wherever it stands, and only one of the web', () => {
  const link = 'https://meet.example.org/x';
  const talk = { title: 'Talk', meetingLink: link, description: '' };
  expect(readShared({ title: 'Talk', link })).toEqual(talk);
  expect(readShared({ title: 'Talk', notes: `Join ${link} now` })).toEqual({
    ...talk,
    description: `Join ${link} now`,
  });
  expect(readShared({ link: 'javascript:alert(1)', notes: 'x' })).toEqual({
    title: '',
    meetingLink: '',
    description: 'x',
  });
  expect(readShared({ link: 'no address' }).meetingLink).toBe('');
});
