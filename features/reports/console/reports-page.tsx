import { Tabs } from '#console/data/tabs.tsx';
import { SideColumns } from '#console/forms/settings/side-columns.tsx';
import { Page } from '#console/frame/page.tsx';
import { useAddress } from '#console/hooks/use-address.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { AskPart } from './ask-part.tsx';
import { NewReport } from './new-report.tsx';
import { ReportList } from './report-list.tsx';
import classes from './reports.module.css';
import { useReportChanges, useReports, useTemplates } from './use-reports.ts';

const VIEWS = [
  { value: 'reports', words: 'Reports' },
  { value: 'ask', words: 'Ask for a number' },
] as const;

function Files() {
  const mayWrite = useMay('reports.write');
  const reports = useReports();
  const templates = useTemplates(mayWrite);
  const { make, isMaking, download, remove } = useReportChanges();
  const side = mayWrite ? (
    <Region query={templates} what="The kinds of reports" skeleton={<Skeleton rows={6} height={48} />}>
      {(known) => <NewReport templates={known} generate={(wish) => void make(wish)} isBusy={isMaking} />}
    </Region>
  ) : null;
  return (
    <SideColumns side={side}>
      <Region query={reports} what="The reports" skeleton={<Skeleton rows={6} height={48} />}>
        {({ reports: listed, total }) => (
          <ReportList
            reports={listed}
            total={total}
            mayWrite={mayWrite}
            download={(report) => void download(report)}
            remove={(report) => void remove(report)}
          />
        )}
      </Region>
    </SideColumns>
  );
}

/** Reports as files, and questions that are answered by counting. */
export function ReportsPage() {
  const address = useAddress();
  const { features } = useMe();
  const mayAsk = useMay('ai.use') && features.ai;
  const view = mayAsk && (address.query.view === 'ask' || address.query.ask !== undefined) ? 'ask' : 'reports';
  if (!features.reports)
    return (
      <Page title="Reports" scrolls>
        <Notice title="This server makes no reports">Whoever runs it can switch them on.</Notice>
      </Page>
    );
  return (
    <Page
      title="Reports"
      scrolls
      lead={
        view === 'ask'
          ? 'Ask in your own words how many, how long or which most; the question is shown as it was understood.'
          : 'Numbers to hand on, as PDF, HTML, CSV or JSON.'
      }
    >
      {mayAsk ? (
        <div className={classes.views}>
          <Tabs
            label="Parts of reports"
            value={view}
            tabs={VIEWS}
            onChange={(next) => address.change({ view: next === 'ask' ? 'ask' : null, ask: null })}
          />
        </div>
      ) : null}
      {view === 'ask' ? <AskPart address={address} /> : <Files />}
    </Page>
  );
}
