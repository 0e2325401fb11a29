import { beforeEach, expect, test } from 'vitest';
import { claimDrafts, dropDraft, forgetDrafts, keepDraft, readDraft } from './local-drafts.ts';

const day = 86_400_000;

beforeEach(() => localStorage.clear());

test('a local draft is kept until it is saved', () => {
  keepDraft('event', { title: 'Lunch' }, 0);
  expect(readDraft('event', day)).toEqual({ title: 'Lunch' });
  dropDraft('event');
  expect(readDraft('event', day)).toBeUndefined();
});

test('a local draft expires after a week', () => {
  keepDraft('event', 'old', 0);
  expect(readDraft('event', 8 * day)).toBeUndefined();
  expect(localStorage.length).toBe(0);
});

test('local drafts end with sign-out and are hidden from another user', () => {
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

test('a corrupt local draft is ignored', () => {
  localStorage.setItem('holdfast-draft:event', '{"value":');
  expect(readDraft('event', 0)).toBeUndefined();
});
