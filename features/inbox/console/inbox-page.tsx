import { Button } from '@mantine/core';
import { PageLink } from '#console/cis/page-link.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import rows from '#console/data/rows.module.css';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { inSentence } from '#console/text/counts.ts';
import { ActivitySection } from './activity-section.tsx';
import type { InboxEntry } from './api.ts';
import classes from './inbox.module.css';
import { deliveryWords, entryPath, INBOX_COLUMNS, reasonWords, titleWords } from './inbox-text.ts';
import { RulesForm } from './rules-form.tsx';
import * as text from './texts.ts';
import { useInbox, useMarkRead, useRules } from './use-inbox.ts';

interface EntryProps {
  readonly entry: InboxEntry;
  /** Undefined: it is read. */
  readonly onRead: (() => void) | undefined;
}
function Entry({ entry, onRead }: EntryProps) {
  const { severity, at, read, deliveries } = entry;
  return (
    <li className={rows.row}>
      {severity === null ? null : <SeverityMark severity={severity} bare />}
      <span className={rows.rowMain}>
        <PageLink
          to={entryPath(entry)}
          className={classes.title}
          data-read={read || undefined}
          onClick={() => onRead?.()}
        >
          <bdi>{titleWords(entry)}</bdi>
        </PageLink>
        <span className={rows.rowNote}>{[reasonWords(entry), ...deliveries.map(deliveryWords)].join(' · ')}</span>
      </span>
      <Timestamp at={at} />
      {onRead === undefined ? null : (
        <Button variant="default" size="compact-sm" onClick={onRead}>
          {text.markAsRead}
        </Button>
      )}
    </li>
  );
}

/** Notifications of the user, and the rules for them. */
export function InboxPage() {
  const inbox = useInbox();
  const rules = useRules();
  const markRead = useMarkRead();
  const hasUnread = (inbox.data?.unread ?? 0) > 0;
  return (
    <Page
      title={text.inbox}
      lead={text.inboxLead}
      scrolls
      actions={
        <Button variant="default" disabled={!hasUnread} onClick={() => void markRead()}>
          {text.markAllRead}
        </Button>
      }
    >
      <div className={classes.sections}>
        <Region query={inbox} what={inSentence(text.inbox)} skeleton={<Skeleton rows={4} height={48} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Notice title={text.nothing}>{text.nothingHint}</Notice>
            ) : (
              <Section
                title={text.notifications}
                flush
                end={<ExportRows name="notifications" columns={INBOX_COLUMNS} rows={items} />}
              >
                <ul className={rows.rows} aria-label={text.notifications}>
                  {items.map((entry) => (
                    <Entry
                      key={entry.id}
                      entry={entry}
                      onRead={entry.read ? undefined : () => void markRead([entry.id])}
                    />
                  ))}
                </ul>
              </Section>
            )
          }
        </Region>
        <ActivitySection />
        <Section title={text.rules} lead={text.rulesLead}>
          <Region query={rules} what={inSentence(text.rules)} skeleton={<Skeleton rows={4} height={40} />}>
            {(found) => <RulesForm rules={found} />}
          </Region>
        </Section>
      </div>
    </Page>
  );
}
