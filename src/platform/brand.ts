import { sql } from 'kysely';
import { brandScale, type ColorScale, ownColor } from '#kernel/brand-scale.ts';
import { ownName } from '#kernel/product-name.ts';
import type { Database, Tx } from './db.ts';

/** How the operator calls their install, and how it looks everywhere but on pages whose host chose a colour. */
export interface Brand {
  name: string;
  /** Ten steps, lightest first; null: Holdfast's own, which stand in every sheet already. */
  steps: ColorScale | null;
  /** Fill color of buttons. */
  accent: string;
  logo: BrandPicture | null;
  /** On dark ground; null: the same. */
  darkLogo: BrandPicture | null;
  /** PNG of the logo, for mails. */
  logoBytes: Uint8Array | null;
  /** The operator's choice, from which browsers derive the rest. */
  chosen: BrandChoice;
}

/** Null is as Holdfast itself has it. Pictures are named by their file. */
export interface BrandChoice {
  name: string | null;
  /** `#rrggbb` */
  color: string | null;
  logo: string | null;
  darkLogo: string | null;
}

export interface BrandPicture {
  /** The hash of what it shows: another picture has another. */
  file: string;
  width: number;
  height: number;
}

export interface BrandWatch {
  current(): Brand;
  /** Looks now, not within two seconds. */
  look(): Promise<void>;
  close(): void;
}

const lookEveryMs = 2000;

export const logoUrl = ({ file }: Pick<BrandPicture, 'file'>) => `/brand/${file}.png`;
export const iconUrl = ({ file }: Pick<BrandPicture, 'file'>) => `/brand/${file}-icon.png`;

/** The product as a public page links home. */
interface BrandHome {
  product: string;
  logo: string | null;
  darkLogo: string | null;
}

export const homeOf = ({ name, logo, darkLogo }: Brand): BrandHome => ({
  product: name,
  logo: logo && logoUrl(logo),
  darkLogo: darkLogo && logoUrl(darkLogo),
});

export async function readBrand(db: Database): Promise<Brand> {
  const { rows } = await sql<BrandChoice & { pictures: BrandPicture[] }>`
    select b.name, b.color, b.logo, b.dark_logo as "darkLogo", coalesce(
      (select json_agg(json_build_object('file', p.file, 'width', p.width, 'height', p.height))
       from platform.brand_pictures p where p.file in (b.logo, b.dark_logo)), '[]') as pictures
    from platform.brand b`.execute(db);
  const { pictures, ...chosen } = rows[0] ?? { ...untouched, pictures: [] };
  const find = (file: string | null) => pictures.find((picture) => picture.file === file) ?? null;
  const logoBytes = chosen.logo === null ? null : await findBrandPicture(db, chosen.logo);
  return { ...lookOf(chosen), logo: find(chosen.logo), darkLogo: find(chosen.darkLogo), logoBytes };
}

export const untouched: BrandChoice = { name: null, color: null, logo: null, darkLogo: null };

function lookOf(chosen: BrandChoice): Pick<Brand, 'name' | 'steps' | 'accent' | 'chosen'> {
  const steps = brandScale(chosen.color ?? ownColor);
  return { name: chosen.name ?? ownName, steps: chosen.color === null ? null : steps, accent: steps[6], chosen };
}

/** Every process looks for itself, as it does for maintenance: a word that got lost must not leave one of them as it was. */
export async function watchBrand(db: Database): Promise<BrandWatch> {
  let version = -1;
  let current: Brand = { ...lookOf(untouched), logo: null, darkLogo: null, logoBytes: null };
  const look = async () => {
    const { rows } = await sql<{ version: number }>`select version from platform.brand`.execute(db);
    if (rows[0] === undefined || rows[0].version === version) return;
    const found = await readBrand(db);
    current = found;
    ({ version } = rows[0]);
  };
  await look();
  // a database that is away changes nothing, and tells so itself
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs).unref();
  return { current: () => current, look, close: () => clearInterval(timer) };
}

/**
 * Saves the brand. Former pictures stay for a day, because open pages still load them. Returns false if a chosen
 * picture does not exist.
 */
export async function saveBrand(tx: Tx, chosen: BrandChoice): Promise<boolean> {
  await sql`
    update platform.brand_pictures p set used_at = now() from platform.brand b
    where p.file in (b.logo, b.dark_logo)`.execute(tx);
  const { rows } = await sql`
    update platform.brand set version = version + 1, name = ${chosen.name}, color = ${chosen.color},
      logo = ${chosen.logo}, dark_logo = ${chosen.darkLogo}
    where (select count(*) from platform.brand_pictures p where p.file in (${chosen.logo}, ${chosen.darkLogo}))
      = ${new Set([chosen.logo, chosen.darkLogo].filter((file) => file !== null)).size}
    returning version`.execute(tx);
  if (rows.length === 0) return false;
  await sql`
    delete from platform.brand_pictures p where p.used_at < now() - interval '1 day'
      and not exists (select from platform.brand b where p.file in (b.logo, b.dark_logo))`.execute(tx);
  return true;
}

export async function keepBrandPicture(
  db: Database,
  picture: BrandPicture & { logo: Uint8Array; icon: Uint8Array },
): Promise<void> {
  await sql`
    insert into platform.brand_pictures (file, width, height, logo, icon)
    values (${picture.file}, ${picture.width}, ${picture.height}, ${Buffer.from(picture.logo)}, ${Buffer.from(picture.icon)})
    on conflict (file) do update set used_at = now()`.execute(db);
}

/** PNG; null where there is no such picture. */
export async function findBrandPicture(
  db: Database,
  file: string,
  kind: 'logo' | 'icon' = 'logo',
): Promise<Uint8Array | null> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select ${sql.ref(kind)} as bytes from platform.brand_pictures where file = ${file}`.execute(db);
  return rows[0]?.bytes ?? null;
}
