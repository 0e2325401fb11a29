import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#ui/dialog.tsx';
import { KeyCaps } from '#ui/key-caps.tsx';
import { areCharactersOn, listShortcuts, type Shortcut, shortcutsKey } from '#ui/shortcuts.ts';
import { Switch } from '#ui/switch.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './keyboard-sheet.module.css';

/** Every key that acts on the screen behind it, searchable, with the switch that rests them. */
export function KeyboardSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const [shortcuts] = useState(listOnce);
  const [isOn, setIsOn] = useState(areCharactersOn);
  const found = shortcuts.filter((one) => isAbout(one, wanted));
  return (
    <Dialog opened onClose={onClose} title={t('keyboard.title')} size="lg">
      <div className={styles.sheet}>
        <TextField
          type="search"
          aria-label={t('keyboard.search')}
          placeholder={t('keyboard.search')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          data-autofocus
        />
        <p role="status" className={found.length === 0 ? styles.none : 'hf-sr-only'}>
          {t('keyboard.found', { count: found.length })}
        </p>
        <div className={styles.groups}>
          {[...Map.groupBy(found, ({ group }) => group)].map(([group, ones]) => (
            <section key={group} className={styles.group}>
              <h3 className={styles.heading}>{group}</h3>
              <dl>
                {ones.map((one) => (
                  <div key={[one.keys].flat().join()} className={styles.row}>
                    <dt>{one.label}</dt>
                    <dd className={styles.ways}>
                      {[one.keys].flat().map((keys) => (
                        <KeyCaps key={keys} keys={keys} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <Switch
          label={t('keyboard.switch')}
          description={t('keyboard.switchText')}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            localStorage.setItem(shortcutsKey, checked ? 'on' : 'off');
            setIsOn(checked);
          }}
        />
      </div>
    </Dialog>
  );
}

/** Lists the shortcuts; of those with the same keys the newest counts, as on a press. */
function listOnce(): Shortcut[] {
  return [...new Map(listShortcuts().map((one) => [[one.keys].flat().join(), one])).values()];
}

function isAbout({ label, group, keys }: Shortcut, wanted: string): boolean {
  const words = wanted.toLowerCase().split(/\s+/u).filter(Boolean);
  const text = [label, group, ...[keys].flat()].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
