import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useOnce } from '#console/actions/use-once.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import {
  deleteReport,
  fileAddress,
  generateReport,
  listReports,
  listTemplates,
  type ReportShown,
  type ReportWish,
} from './api.ts';

const LIST = ['reports', 'list'] as const;
const ASKED_EVERY_MS = 1_500;

/** The list, read again while something in it is being made. */
export const useReports = () => {
  const { call } = useParts();
  return useQuery({
    queryKey: LIST,
    queryFn: ({ signal }) => listReports(call, signal),
    refetchInterval: ({ state }) =>
      state.data?.reports.some(({ status }) => status === 'generating') ? ASKED_EVERY_MS : false,
  });
};

export const useTemplates = (isWanted: boolean) => {
  const { call } = useParts();
  return useQuery({
    queryKey: ['reports', 'templates'],
    queryFn: ({ signal }) => listTemplates(call, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
};

export const useReportChanges = () => {
  const { call, root } = useParts();
  const queries = useQueryClient();
  const anew = (): Promise<void> => queries.invalidateQueries({ queryKey: LIST });
  const [make, isMaking] = useOnce(async (wish: ReportWish) => {
    try {
      await generateReport(call, wish);
      say({ text: 'The report is being made; it appears in the list.' });
      void anew();
    } catch (error) {
      sayFailure('The report was not begun', error);
    }
  });
  return {
    make,
    isMaking,
    download: async ({ report_id }: ReportShown): Promise<void> => {
      try {
        const address = await fileAddress(call, root, report_id);
        if (address !== null) location.assign(address);
      } catch (error) {
        sayFailure('The report could not be fetched', error);
      }
    },
    remove: async ({ report_id, name }: ReportShown): Promise<void> => {
      try {
        await deleteReport(call, report_id);
        say({ text: `${name} was deleted.` });
      } catch (error) {
        sayFailure('The report was not deleted', error);
      }
      void anew();
    },
  };
};
