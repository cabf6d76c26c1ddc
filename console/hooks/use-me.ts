import { useSuspenseQuery } from '@tanstack/react-query';
import { type Me, readMe } from '#console/api/me.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { useParts } from './parts.ts';

const ME = ['me'] as const;

/** Who uses the console; the frame has read it before any page is drawn. */
export const useMe = (): Me => {
  const { call } = useParts();
  return useSuspenseQuery({ queryKey: ME, queryFn: ({ signal }) => readMe(call, signal), staleTime: 60_000 }).data;
};

export const useMay = (permission: Permission): boolean => useMe().permissions.includes(permission);
