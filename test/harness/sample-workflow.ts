/** A mail to the host, an hour before what was booked begins. */
export const sampleWorkflow = {
  trigger: 'before-event',
  offset: { amount: 1, unit: 'hours' },
  filter: { event_type_ids: null },
  if_past: 'skip',
  if_late: 'skip',
  quiet_hours: null,
  steps: [
    {
      id: '6f1c2f0e-7c0a-4b7e-9d57-0d8f6b0f7a11',
      action: { kind: 'send-email', to: 'host', subject: 'Soon', body: 'Soon.', ics: false },
    },
  ],
};
