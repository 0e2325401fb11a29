import { bindRoutes } from '#platform/routes.ts';
import { suggestionsContract } from './contract.ts';
import { suggestGuests } from './suggestions.ts';

export const suggestionRoutes = bindRoutes(suggestionsContract, {
  suggestGuests: async ({ app, actor, input }) => ({ guests: await suggestGuests(app, actor, input.query.q) }),
});
