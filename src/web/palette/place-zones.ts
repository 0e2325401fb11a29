/** Places that people name and the zone database does not. */
const known: Record<string, string> = {
  sf: 'America/Los_Angeles',
  'san francisco': 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  la: 'America/Los_Angeles',
  nyc: 'America/New_York',
  boston: 'America/New_York',
  washington: 'America/New_York',
  miami: 'America/New_York',
  austin: 'America/Chicago',
  dallas: 'America/Chicago',
  beijing: 'Asia/Shanghai',
  delhi: 'Asia/Kolkata',
  'new delhi': 'Asia/Kolkata',
  mumbai: 'Asia/Kolkata',
  bangalore: 'Asia/Kolkata',
  bengaluru: 'Asia/Kolkata',
  kolkata: 'Asia/Kolkata',
  kyiv: 'Europe/Kyiv',
  munich: 'Europe/Berlin',
  hamburg: 'Europe/Berlin',
  frankfurt: 'Europe/Berlin',
  geneva: 'Europe/Zurich',
  milan: 'Europe/Rome',
  barcelona: 'Europe/Madrid',
  utc: 'UTC',
  gmt: 'UTC',
  et: 'America/New_York',
  est: 'America/New_York',
  edt: 'America/New_York',
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  cet: 'Europe/Berlin',
  cest: 'Europe/Berlin',
  bst: 'Europe/London',
  ist: 'Asia/Kolkata',
  jst: 'Asia/Tokyo',
};

let places: Map<string, string> | undefined;

/** `tokyo` -> `Asia/Tokyo`; undefined for what is no place with a zone. */
export function zoneOfPlace(place: string): string | undefined {
  places ??= new Map([
    ...Intl.supportedValuesOf('timeZone').map((zone): [string, string] => [
      (zone.split('/').at(-1) ?? '').replaceAll('_', ' ').toLowerCase(),
      zone,
    ]),
    ...Object.entries(known),
  ]);
  return places.get(place.trim().toLowerCase());
}
