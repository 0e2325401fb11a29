/** Engines list these zones by a former name. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The present name of a zone in the IANA database: `Asia/Kathmandu` of `Asia/Katmandu`. */
export const presentName = (zone: string): string => renamed[zone] ?? zone;

/** Places that people name and the zone database does not. */
const named: Record<string, string> = {
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
  tokio: 'Asia/Tokyo',
  東京: 'Asia/Tokyo',
  peking: 'Asia/Shanghai',
  pekín: 'Asia/Shanghai',
  pékin: 'Asia/Shanghai',
  北京: 'Asia/Shanghai',
  'nueva york': 'America/New_York',
  ニューヨーク: 'America/New_York',
  londres: 'Europe/London',
  ロンドン: 'Europe/London',
  パリ: 'Europe/Paris',
  ベルリン: 'Europe/Berlin',
  münchen: 'Europe/Berlin',
  múnich: 'Europe/Berlin',
  zürich: 'Europe/Zurich',
  genf: 'Europe/Zurich',
  genève: 'Europe/Zurich',
  wien: 'Europe/Vienna',
  vienne: 'Europe/Vienna',
  viena: 'Europe/Vienna',
  mailand: 'Europe/Rome',
  rom: 'Europe/Rome',
  roma: 'Europe/Rome',
  lissabon: 'Europe/Lisbon',
  lisbonne: 'Europe/Lisbon',
  lisboa: 'Europe/Lisbon',
  moskau: 'Europe/Moscow',
  moscou: 'Europe/Moscow',
  moscú: 'Europe/Moscow',
  'ciudad de méxico': 'America/Mexico_City',
};

export const placeZones: readonly (readonly [place: string, zone: string])[] = Object.entries(named);

let places: Map<string, string> | undefined;

/** `tokyo` -> `Asia/Tokyo`; undefined for what is no place with a zone. */
export function zoneOfPlace(place: string): string | undefined {
  places ??= new Map([
    ...Intl.supportedValuesOf('timeZone').flatMap((zone) =>
      [zone, presentName(zone)].map((name): [string, string] => [
        (name.split('/').at(-1) ?? '').replaceAll('_', ' ').toLowerCase(),
        zone,
      ]),
    ),
    ...placeZones,
  ]);
  return places.get(place.trim().toLowerCase());
}
