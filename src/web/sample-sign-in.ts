import { newId } from '#kernel/new-id.ts';

/** The server's answer to a sign-in, for tests. */
export const sampleSignIn = {
  message: '',
  user: { email: 'ada@example.org', name: 'Ada', company: null, role: 'user' },
  user_id: newId(),
  session_token: null,
  next: null,
  session: null,
};
