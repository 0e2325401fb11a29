/** What open browsers are told when contacts, their notes or their numbers may have changed. */
export const contactsTopic = 'contacts';
