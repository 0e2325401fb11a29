import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mirrorRuleOf } from '#features/sync/rules/mirror-rule.ts';
import { mirrorsAnything } from '#features/sync/rules/mirrors-anything.ts';
import { underSettings } from '#features/sync/rules/sync-settings.ts';
import { Tag } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { loadWords } from '#ui/load-words.ts';
import { Panel } from '#ui/page.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { Switch } from '#ui/switch.tsx';
import { useRested } from '#ui/use-rested.ts';
import {
  draftOf,
  type GroupDraft,
  isSameDraft,
  type Pair,
  shownIn,
  shownPairs,
  unblocked,
  withSource,
  withTarget,
} from './group-draft.ts';
import styles from './group-editor.module.css';
import { GroupProgress } from './group-progress.tsx';
import { OtherCalendars } from './other-calendars.tsx';
import { PairList } from './pair-list.tsx';
import { type Group, type NamedCalendar, usePreview, useSettings } from './queries.ts';
import { BlockExample } from './review/block-example.tsx';

const ReviewDialog = lazy(async () => {
  // recurrences are in the words of the event editor
  const [review] = await Promise.all([import('./review/review-dialog.tsx'), loadWords('editor')]);
  return { default: review.ReviewDialog };
});
// none of these is in the first view of a group
const loadParts = () => import('./group-parts.tsx');
const GroupAdvanced = lazy(async () => ({ default: (await loadParts()).GroupAdvanced }));
const BreakerBanner = lazy(async () => ({ default: (await loadParts()).BreakerBanner }));
const RemoveGroupDialog = lazy(async () => ({ default: (await loadParts()).RemoveGroupDialog }));

export type GroupEditorProps = {
  /** Calendars that may take part: those in no other group. */
  calendars: NamedCalendar[];
  reviewAtOnce: boolean;
} & (
  | {
      group: Group;
      /** Proposed instead of what is saved, for a group that mirrors nothing. */
      initial: GroupDraft | null;
    }
  | { group: null; initial: GroupDraft; onDone: () => void }
);

/** One mirror group: a sentence for each pair, further calendars, and all rules behind Advanced. Nothing changes before the review. */
export function GroupEditor(props: GroupEditorProps) {
  const { t } = useTranslation();
  const settings = useSettings();
  const nameId = useId();
  const { group, calendars } = props;
  const groupId = group?.groupId ?? null;
  const [saved] = useState<GroupDraft>(() => (props.group ? draftOf(props.group) : props.initial));
  const [initial] = useState<GroupDraft>(() => props.initial ?? saved);
  const [draft, setDraft] = useState(initial);
  const [reviewing, setReviewing] = useState(props.reviewAtOnce && mirrorsAnything(initial.members));
  const [removing, setRemoving] = useState(false);
  const changed = group === null || !isSameDraft(draft, saved);
  const nameless = draft.name.trim() === '';
  const tooFew = !mirrorsAnything(draft.members);
  const dirty = group !== null && changed && !isSameDraft(draft, initial);
  const rested = useRested(draft);
  const preview = usePreview(groupId, changed && !nameless && !tooFew ? rested : null);
  const diff = changed && !tooFew ? preview.data?.diff : undefined;

  useBlocker({
    shouldBlockFn: () => dirty && !window.confirm(t('sync.leave')),
    enableBeforeUnload: dirty,
    disabled: !dirty,
  });

  const pairs = shownPairs(draft, calendars);
  const on = pairs.filter((pair) => pair.enabled).length;
  const sources = new Set(draft.members.filter((member) => member.isSource).map((member) => member.calendarId));
  const others = calendars.filter((calendar) => !sources.has(calendar.calendarId));
  const countOf = (pair: Pair) => {
    if (changed && diff === undefined) return null;
    const is = (one: Omit<Pair, 'rule' | 'enabled'>) =>
      one.sourceCalendarId === pair.sourceCalendarId && one.targetCalendarId === pair.targetCalendarId;
    const change = diff?.pairs.find(is);
    return (group?.blocks.find(is)?.count ?? 0) + (change?.create ?? 0) - (change?.delete ?? 0);
  };
  const inherited = underSettings(settings, draft.rule);
  const shown = new Set(pairs.flatMap((pair) => (pair.enabled ? [shownIn(mirrorRuleOf(inherited, pair.rule))] : [])));
  const changes = (['create', 'update', 'delete'] as const).flatMap((kind) =>
    diff && diff[kind] > 0 ? [t(`sync.bar.${kind}`, { count: diff[kind] })] : [],
  );

  return (
    <section className={styles.editor} aria-labelledby={nameId} id={group ? `group-${group.groupId}` : undefined}>
      <div className={styles.columns}>
        <div className={styles.main}>
          <Panel
            flush
            title={<span id={nameId}>{group ? saved.name : t('sync.main.title')}</span>}
            text={group ? <GroupProgress group={group} /> : t('sync.main.text')}
            actions={
              group ? (
                <Switch
                  label={t('sync.enabled')}
                  checked={draft.enabled}
                  onChange={(event) => setDraft({ ...draft, enabled: event.currentTarget.checked })}
                />
              ) : (
                <Tag>{t('sync.draft')}</Tag>
              )
            }
          >
            {group?.breakers.map((breaker) => (
              <div key={`${breaker.sourceCalendarId} ${breaker.targetCalendarId}`} className={styles.breaker}>
                <Suspense>
                  <BreakerBanner groupId={group.groupId} breaker={breaker} calendars={calendars} />
                </Suspense>
              </div>
            ))}
            {unblocked(draft, calendars).map(({ calendarId, fullName }) => (
              <div key={calendarId} className={styles.breaker}>
                <Banner
                  state="warn"
                  title={t('sync.unblocked.title', { calendar: fullName })}
                  actions={
                    <Button size="xs" onClick={() => setDraft(withTarget(draft, calendars, calendarId))}>
                      {t('sync.unblocked.action')}
                      <span className="hf-sr-only"> {fullName}</span>
                    </Button>
                  }
                >
                  {t('sync.unblocked.text')}
                </Banner>
              </div>
            ))}
            {pairs.length === 0 ? (
              <p className={styles.none}>{t('sync.sentence.none')}</p>
            ) : (
              <PairList draft={draft} pairs={pairs} calendars={calendars} countOf={countOf} onChange={setDraft} />
            )}
          </Panel>
          {others.length > 0 ? (
            <Panel flush title={t('sync.others.title')} text={t('sync.others.text')}>
              <OtherCalendars
                calendars={others}
                onMirror={(calendarId) => setDraft((current) => withSource(current, calendars, calendarId))}
              />
            </Panel>
          ) : null}
          <details className={styles.advanced}>
            <summary>
              <span className={styles.advancedTitle}>{t('sync.advanced.title')}</span>
              <span className={styles.advancedText}>{t('sync.advanced.text')}</span>
            </summary>
            <Suspense>
              <GroupAdvanced
                draft={draft}
                calendars={calendars}
                effective={mirrorRuleOf(inherited)}
                onChange={setDraft}
              />
            </Suspense>
          </details>
        </div>
        <div className={styles.side}>
          <BlockExample diff={diff} shown={shown} calendars={calendars} />
        </div>
      </div>
      <SaveBar
        changed={changed}
        status={
          tooFew
            ? t('sync.tooFew')
            : changed
              ? [
                  t('sync.bar.pairs', { count: on }),
                  ...(diff && changes.length === 0 ? [t('sync.bar.none')] : changes),
                ].join(' · ')
              : ''
        }
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
        <Button disabled={tooFew || nameless} onClick={() => setReviewing(true)}>
          {t('sync.review.open')}
        </Button>
      </SaveBar>
      <Suspense>
        {reviewing && !tooFew ? (
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
      </Suspense>
    </section>
  );
}
