import type { Dispatch, SetStateAction } from 'react';
import { useTranslation } from 'react-i18next';
import type { MirrorRule } from '#features/sync/rules/mirror-rule.ts';
import { TextField } from '#ui/text-field.tsx';
import { type GroupDraft, withMember } from './group-draft.ts';
import styles from './group-editor.module.css';
import { MemberList } from './member-list.tsx';
import { PairMatrix } from './pair-matrix.tsx';
import type { NamedCalendar } from './queries.ts';
import { RuleFields } from './rule-fields.tsx';

interface Props {
  draft: GroupDraft;
  calendars: NamedCalendar[];
  /** The rule that the group inherits. */
  effective: MirrorRule;
  onChange: Dispatch<SetStateAction<GroupDraft>>;
}

/** The name of a group, its rules, its members, and each pair. */
export function GroupAdvanced({ draft, calendars, effective, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <div className={styles.part}>
        <TextField
          className={styles.name}
          label={t('sync.name')}
          required
          maxLength={100}
          value={draft.name}
          error={draft.name.trim() === '' ? t('sync.nameMissing') : null}
          onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
        />
      </div>
      <div className={styles.part}>
        <h3>{t('sync.rule.title')}</h3>
        <p className={styles.text}>{t('sync.rule.text')}</p>
        <RuleFields
          effective={effective}
          patch={draft.rule}
          inheritedName={t('sync.rule.productDefault')}
          onChange={(rule) => onChange((current) => ({ ...current, rule }))}
        />
      </div>
      <div className={styles.part}>
        <h3>{t('sync.members.title')}</h3>
        <p className={styles.text}>{t('sync.members.text')}</p>
      </div>
      <MemberList
        calendars={calendars}
        members={draft.members}
        onChange={(member) => onChange((current) => withMember(current, member))}
      />
      <div className={styles.part}>
        <h3>{t('sync.matrix.title')}</h3>
        <p className={styles.text}>{t('sync.matrix.text')}</p>
      </div>
      <PairMatrix draft={draft} calendars={calendars} onChange={onChange} />
    </>
  );
}

export { BreakerBanner } from './breaker-banner.tsx';
export { RemoveGroupDialog } from './remove-group-dialog.tsx';
