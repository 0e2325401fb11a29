import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import { openGoogleWorld } from '../../../test/harness/google-world.ts';
import { describeConformance } from '../conformance.ts';

/** The adapter against the emulated Google, in pages of fifty. */
describeConformance({
  name: 'emulated google',
  series: 'punch-out',
  conference: 'google-meet',
  differs: { pinsFloating: 'Google has no floating times' },
  start: () => {
    const emulated = emulateGoogle();
    let calendars = 0;
    return Promise.resolve({
      open: (tags) => {
        calendars += 1;
        return openGoogleWorld(emulated, `calendar-${calendars}@group.calendar.google.com`, tags);
      },
      stop: () => Promise.resolve(),
    });
  },
});
