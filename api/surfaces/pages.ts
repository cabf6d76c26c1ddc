import { PAGE_WINDOW } from '#schemas/http/paging.ts';
import type { PageInfo } from './endpoint.ts';
import type { PageLink } from './surface.ts';

const pagesOf = (page: PageInfo): number => Math.ceil(page.total / page.limit);
const cursorOf = (page: PageInfo) => (page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor });

/** `pagination` of /api and /v1. */
export const pagination = (page: PageInfo) => ({
  page: page.page,
  limit: page.limit,
  total: page.total,
  pages: pagesOf(page),
  ...cursorOf(page),
});

/** `pagination` of /api/events. */
export const eventsPagination = (page: PageInfo) => ({
  total: page.total,
  page: page.page,
  pageSize: page.limit,
  totalPages: pagesOf(page),
  ...cursorOf(page),
});

/** Longer than this it may not pass a proxy, and some clients refuse the whole response. */
const MAX_LINK = 4_096;

const isReachable = (number: number, { limit }: PageInfo): boolean => number * limit <= PAGE_WINDOW;

/** Where the rows after these are; behind a cursor only a cursor knows. */
const nextOf = (page: PageInfo): Parameters<PageLink>[0] | null => {
  const cursor = page.nextCursor ? { cursor: page.nextCursor } : null;
  if (page.isBehindCursor) return cursor;
  if (page.page >= pagesOf(page)) return null;
  return isReachable(page.page + 1, page) ? { page: page.page + 1 } : cursor;
};

/** Headers of /v1; links only to pages that a page number can reach, further on `next` is a cursor. */
export function pageHeaders(page: PageInfo, link: PageLink): Readonly<Record<string, string>> {
  const last = Math.max(1, pagesOf(page));
  const next = nextOf(page);
  const links = [`<${link({ page: 1 })}>; rel="first"`];
  if (page.page > 1 && !page.isBehindCursor)
    links.push(`<${link({ page: Math.min(page.page - 1, last) })}>; rel="prev"`);
  if (next !== null) links.push(`<${link(next)}>; rel="next"`);
  if (isReachable(last, page)) links.push(`<${link({ page: last })}>; rel="last"`);
  const all = links.join(', ');
  return {
    'X-Total-Count': String(page.total),
    'X-Page': String(page.page),
    'X-Per-Page': String(page.limit),
    'X-Total-Pages': String(pagesOf(page)),
    ...(all.length <= MAX_LINK && { Link: all }),
  };
}
