import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type MirrorRulePatch, mirrorRuleOf } from '#features/sync/rules/mirror-rule.ts';
import { underSettings } from '#features/sync/rules/sync-settings.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Switch } from '#ui/switch.tsx';
import type { Pair } from './group-draft.ts';
import styles from './pair-dialog.module.css';
import { useSettings } from './queries.ts';
import { RuleFields } from './rule-fields.tsx';

export interface PairDialogProps {
  pair: Pair;
  source: string;
  target: string;
  groupRule: MirrorRulePatch;
  onApply: (pair: Pair) => void;
  onClose: () => void;
}

/** Edits one pair's differences from its group's rule. */
export function PairDialog({ pair, source, target, groupRule, onApply, onClose }: PairDialogProps) {
  const { t } = useTranslation();
  const settings = useSettings();
  const [edited, setEdited] = useState(pair);
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t('sync.matrix.pair', { source, target })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('sync.cancel')}
          </Button>
          <Button onClick={() => onApply(edited)}>{t('sync.pair.apply')}</Button>
        </>
      }
    >
      <div className={styles.switch}>
        <Switch
          label={t('sync.pair.enabled', { source, target })}
          checked={edited.enabled}
          onChange={(event) => setEdited({ ...edited, enabled: event.currentTarget.checked })}
        />
      </div>
      <RuleFields
        effective={mirrorRuleOf(underSettings(settings, groupRule), edited.rule)}
        patch={edited.rule}
        inheritedName={t('sync.rule.groupDefault')}
        disabled={!edited.enabled}
        onChange={(rule) => setEdited((current) => ({ ...current, rule }))}
      />
    </Dialog>
  );
}
