import { bindRoutes } from '#platform/routes.ts';
import { searchContract } from './contract.ts';
import { search } from './search.ts';

export const routes = bindRoutes(searchContract, {
  search: ({ app, actor, input }) => search(app, actor, input.query.q),
});
