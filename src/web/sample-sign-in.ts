import { newId } from '#kernel/new-id.ts';

/** What the server answers to somebody who comes in, for tests. */
export const sampleSignIn = {
  message: '',
  user: { email: 'ada@example.org', name: 'Ada', company: null, role: 'user' },
  user_id: newId(),
  session_token: null,
  next: null,
  session: null,
};
