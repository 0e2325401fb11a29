import { beforeEach, expect, test } from 'vitest';
import { claimDrafts, dropDraft, forgetDrafts, keepDraft, readDraft } from './local-drafts.ts';

const day = 86_400_000;

beforeEach(() => localStorage.clear());

test('what was typed is there again, until it is saved', () => {
  keepDraft('event', { title: 'Lunch' }, 0);
  expect(readDraft('event', day)).toEqual({ title: 'Lunch' });
  dropDraft('event');
  expect(readDraft('event', day)).toBeUndefined();
});

test('after a week it is forgotten', () => {
  keepDraft('event', 'old', 0);
  expect(readDraft('event', 8 * day)).toBeUndefined();
  expect(localStorage.length).toBe(0);
});

test('whoever signs out leaves nothing, and nobody finds what another has left', () => {
  claimDrafts('ana');
  keepDraft('event', 'hers', 0);
  localStorage.setItem('holdfast-density', 'compact');
  claimDrafts('ana');
  expect(readDraft('event', 1)).toBe('hers');
  claimDrafts('bo');
  expect(readDraft('event', 1)).toBeUndefined();
  keepDraft('event', 'his', 0);
  forgetDrafts();
  expect(readDraft('event', 1)).toBeUndefined();
  expect(localStorage.getItem('holdfast-density')).toBe('compact');
});

test('what is not ours is not read', () => {
  localStorage.setItem('holdfast-draft:event', '{"value":');
  expect(readDraft('event', 0)).toBeUndefined();
});
