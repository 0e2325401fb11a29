export const embedModes = ['inline', 'popup', 'float'] as const;
export type EmbedMode = (typeof embedModes)[number];

/** Returns the code for embedding: the script, and its element (page/embed.ts). */
export function writeEmbed(url: string, mode: EmbedMode, label: string): string {
  const { origin, pathname } = new URL(url);
  const link = `link="${quote(pathname.slice(1))}"`;
  const element = {
    inline: `<holdfast-booking ${link}></holdfast-booking>`,
    popup: `<holdfast-booking ${link} mode="popup"><button type="button">${quote(label)}</button></holdfast-booking>`,
    float: `<holdfast-booking ${link} mode="float" label="${quote(label)}"></holdfast-booking>`,
  }[mode];
  return `<script async src="${quote(origin)}/embed.js"></script>\n${element}`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const quote = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
