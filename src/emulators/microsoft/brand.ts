export const microsoftBrand = { name: 'Outlook Calendar', color: '#0f6cbd' };
