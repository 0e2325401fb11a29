import { expect, it } from 'vitest';
import { readShared } from './read-shared.ts';

it('a meeting link is found anywhere in shared content, and only when it is a web link', () => {
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
