import { useBlocker } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mirrorRuleOf } from '#features/sync/rules/mirror-rule.ts';
import { mirrorsAnything } from '#features/sync/rules/mirrors-anything.ts';
import { underSettings } from '#features/sync/rules/sync-settings.ts';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { Switch } from '#ui/switch.tsx';
import { TextField } from '#ui/text-field.tsx';
import { BreakerBanner } from './breaker-banner.tsx';
import { draftOf, type GroupDraft, isSameDraft, withMember } from './group-draft.ts';
import styles from './group-editor.module.css';
import { GroupProgress } from './group-progress.tsx';
import { MemberList } from './member-list.tsx';
import { PairMatrix } from './pair-matrix.tsx';
import { type Group, type NamedCalendar, useSettings } from './queries.ts';
import { RemoveGroupDialog } from './remove-group-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { RuleFields } from './rule-fields.tsx';

export type GroupEditorProps = {
  /** Calendars that may take part: those in no other group. */
  calendars: NamedCalendar[];
} & ({ group: Group } | { group: null; initial: GroupDraft; onDone: () => void });

/** One mirror group: who takes part, the rule for all, what differs per pair. Nothing changes before the review. */
export function GroupEditor(props: GroupEditorProps) {
  const { t } = useTranslation();
  const settings = useSettings();
  const nameId = useId();
  const { group, calendars } = props;
  const [saved] = useState<GroupDraft>(() => (group ? draftOf(group) : props.initial));
  const [draft, setDraft] = useState(saved);
  const [reviewing, setReviewing] = useState(false);
  const [removing, setRemoving] = useState(false);
  const changed = group === null || !isSameDraft(draft, saved);
  const tooFew = !mirrorsAnything(draft.members);
  const dirty = group !== null && changed;

  useBlocker({
    shouldBlockFn: () => dirty && !window.confirm(t('sync.leave')),
    enableBeforeUnload: dirty,
    disabled: !dirty,
  });

  return (
    <section className={styles.editor} aria-labelledby={nameId} id={group ? `group-${group.groupId}` : undefined}>
      <Panel
        title={<span id={nameId}>{saved.name}</span>}
        text={group ? <GroupProgress group={group} /> : t('sync.newGroup')}
        actions={
          <Switch
            label={t('sync.enabled')}
            checked={draft.enabled}
            onChange={(event) => setDraft({ ...draft, enabled: event.currentTarget.checked })}
          />
        }
      >
        {group?.breakers.map((breaker) => (
          <BreakerBanner
            key={`${breaker.sourceCalendarId} ${breaker.targetCalendarId}`}
            groupId={group.groupId}
            breaker={breaker}
            calendars={calendars}
          />
        ))}
        <TextField
          className={styles.name}
          label={t('sync.name')}
          required
          maxLength={100}
          value={draft.name}
          error={draft.name.trim() === '' ? t('sync.nameMissing') : null}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
      </Panel>
      <Panel flush title={t('sync.members.title')} text={t('sync.members.text')}>
        <MemberList
          calendars={calendars}
          members={draft.members}
          onChange={(member) => setDraft((current) => withMember(current, member))}
        />
      </Panel>
      <Panel title={t('sync.rule.title')} text={t('sync.rule.text')}>
        <RuleFields
          effective={mirrorRuleOf(underSettings(settings, draft.rule))}
          patch={draft.rule}
          inheritedName={t('sync.rule.productDefault')}
          onChange={(rule) => setDraft((current) => ({ ...current, rule }))}
        />
      </Panel>
      <Panel flush title={t('sync.matrix.title')} text={t('sync.matrix.text')}>
        <PairMatrix draft={draft} calendars={calendars} onChange={setDraft} />
      </Panel>
      <SaveBar
        changed={changed}
        status={tooFew ? t('sync.tooFew') : dirty ? t('sync.unsaved') : ''}
        start={
          group ? (
            <Button variant="subtle" color="bad" onClick={() => setRemoving(true)}>
              {t('sync.remove.action')}
            </Button>
          ) : null
        }
      >
        <Button variant="default" onClick={() => (group ? setDraft(saved) : props.onDone())}>
          {group ? t('sync.discard') : t('sync.cancel')}
        </Button>
        <Button disabled={tooFew || draft.name.trim() === ''} onClick={() => setReviewing(true)}>
          {t('sync.review.open')}
        </Button>
      </SaveBar>
      {reviewing ? (
        <ReviewDialog
          group={group}
          draft={draft}
          calendars={calendars}
          onClose={() => setReviewing(false)}
          onSaved={() => {
            setReviewing(false);
            if (!props.group) props.onDone();
          }}
        />
      ) : null}
      {removing && group ? <RemoveGroupDialog group={group} onClose={() => setRemoving(false)} /> : null}
    </section>
  );
}
