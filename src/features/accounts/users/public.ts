/** Users by id and address, for sign-in. */
export {
  addressIsTaken,
  claimFirst,
  confirmAddress,
  deleteUnconfirmed,
  findUser,
  findUserByEmail,
  findUserOrLeaver,
  getMfaSince,
  hasAdministrator,
  hasUsers,
  replaceAddress,
  setMfa,
} from '../store/users.ts';
export { claimUnconfirmed, createUser } from './users.ts';
