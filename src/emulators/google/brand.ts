export const googleBrand = { name: 'Google Calendar', color: '#1a73e8' };
