/** Users by id and address, for sign-in. */
export {
  addressIsTaken,
  claimFirst,
  confirmAddress,
  findUser,
  findUserByEmail,
  findUserOrLeaver,
  getMfaSince,
  hasAdministrator,
  hasUsers,
  replaceAddress,
  setMfa,
} from '../store/users.ts';
export { createUser } from './users.ts';
