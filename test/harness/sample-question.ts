/** A question that a rule can ask about: small companies are led elsewhere than large ones. */
export const sampleQuestion = {
  id: 'size',
  label: 'How many are you?',
  kind: 'select',
  required: true,
  options: [
    { id: 'few', label: 'Up to ten', to_fallback: true },
    { id: 'many', label: 'More' },
  ],
} as const;
