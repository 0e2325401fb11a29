/** A session's access to the console of administrators. Every request asks, so that a change works at once. */
export function adminAccessOf(session: {
  role: 'user' | 'admin';
  second_factor: boolean;
  require_admin_mfa: boolean;
}): 'none' | 'mfa-needed' | 'granted' {
  if (session.role !== 'admin') return 'none';
  return session.second_factor || !session.require_admin_mfa ? 'granted' : 'mfa-needed';
}
