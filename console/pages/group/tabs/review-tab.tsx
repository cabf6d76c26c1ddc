import { Button } from '@mantine/core';
import type { GroupDetailData } from '#console/api/groups.ts';
import { copyText } from '#console/components/copy.ts';
import { saveFile } from '#console/components/save-file.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import classes from '../group.module.css';
import { useTimeline } from '../read/use-group.ts';
import { courseOf, reviewFacts, reviewMarkdown } from './review.ts';
import * as texts from './texts.ts';

/** Figures and course of one incident, also as a document. */
export function ReviewTab({ group }: { readonly group: GroupDetailData }) {
  const { root } = useAppServices();
  const { full } = useTimes();
  const timeline = useTimeline(group.correlationId, 'asc');
  const facts = reviewFacts(group, full);
  return (
    <div className={classes.tab}>
      <dl className={classes.figures}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Region query={timeline} what={texts.timelineEntries} skeleton={<Skeleton rows={5} height={28} />}>
        {({ pages }) => {
          const course = courseOf(pages.flatMap((page) => page.timeline));
          const link = new URL(`ui/groups/${group.correlationId}`, root).href;
          const document = reviewMarkdown(group, { facts, course, link, full });
          const copy = async (): Promise<void> =>
            showToast({ text: (await copyText(document)) ? texts.copied : texts.copyFailedBlockedBrowser });
          return (
            <>
              <ol className={classes.moments} aria-label={texts.course}>
                {course.map(({ at, by, text }, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: what happened stays where it is.
                  <li key={`${at} ${place}`} data-act={by !== undefined || undefined}>
                    <Timestamp at={at} />
                    <span className={classes.momentKind}>{by?.name}</span>
                    <span className={classes.momentText}>{text}</span>
                  </li>
                ))}
              </ol>
              {timeline.hasNextPage ? (
                <Button variant="subtle" size="compact-sm" onClick={() => void timeline.fetchNextPage()}>
                  {texts.loadLater}
                </Button>
              ) : null}
              <div className={classes.reviewWays}>
                <Button variant="default" onClick={() => void copy()}>
                  {texts.copyMarkdown}
                </Button>
                <Button
                  variant="default"
                  onClick={() => saveFile(`${group.correlationId}.md`, document, 'text/markdown')}
                >
                  {texts.downloadMarkdown}
                </Button>
              </div>
              {group.aliases.length === 0 ? null : (
                <p className={classes.dim}>{texts.mergedGroups(group.aliases.join(', '))}</p>
              )}
            </>
          );
        }}
      </Region>
    </div>
  );
}
