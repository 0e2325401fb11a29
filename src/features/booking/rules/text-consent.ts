/**
 * The question whose tick is a guest's consent to text messages about their booking: a box like any other, which is why
 * its id alone tells. Workflows ask for it before they send one.
 */
export const textConsentId = 'text-messages';
