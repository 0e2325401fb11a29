export const contactSources = ['booking', 'calendar', 'hand', 'import'] as const;
export type ContactSource = (typeof contactSources)[number];

export const contactOrders = ['last', 'name', 'total'] as const;

/** Of the last meeting; `ahead` is one to come. */
export const meetingAges = ['30-days', '90-days', 'longer', 'never', 'ahead'] as const;
