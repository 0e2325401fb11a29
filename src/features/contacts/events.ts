/** Live-update topic: contacts, their notes or their figures may have changed. */
export const contactsTopic = 'contacts';
