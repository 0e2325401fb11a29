/** People as administrators see them: lists, roles, and suspension. */
export { countPeople, findPerson, listAddresses, listOwnersOf, listPeople, type Person } from '../store/people.ts';
export {
  findConfirmedAddress,
  isOnlyAdmin,
  listAdministratorIds,
  listAdministrators,
  listUpdateReaders,
} from '../store/users.ts';
export { changeRole, changeSuspension, confirmByHand, setSuspension } from './people.ts';
