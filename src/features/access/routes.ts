import { sessionSeconds } from '#features/accounts/rules/session.ts';
import { bindRoutes } from '#platform/routes.ts';
import { accessContract } from './contract.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';

export const routes = bindRoutes(accessContract, {
  async signup({ app, input, request, cookie }) {
    const answer = await signUp(app, input.body, request);
    if (answer.session_token !== null) cookie.set(answer.session_token, sessionSeconds);
    return answer;
  },
  async login({ app, input, request, cookie }) {
    const answer = await signIn(app, input.body, request);
    if (answer.session_token !== null) cookie.set(answer.session_token, sessionSeconds);
    return answer;
  },
});
