import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { endpoint, type Method, mount, type SurfaceName } from '#api/surfaces/endpoint.ts';
import { routes } from './routes.ts';

const at = (on: SurfaceName, method: Method, path: string, permission: 'events.read' | null = 'events.read') =>
  endpoint({
    id: `${method} ${path}`,
    summary: '',
    tag: '',
    permission,
    limit: 'none',
    mounts: [mount({ on, method, path, reply: z.unknown(), read: () => null, present: () => ({ body: null }) })],
    handle: async () => null,
  });

const table = routes([
  at('events', 'get', ''),
  at('events', 'get', '/stats'),
  at('events', 'get', '/{eventId}'),
  at('events', 'get', '/{eventId}/correlations'),
  at('events', 'post', '/correlate'),
  at('platform', 'get', '/ci/{ciId}/process-connections'),
  at('platform', 'get', '/ci/find-by-ip/{ip}'),
  at('ai', 'put', '/cmdb/ai-relationships/{id}'),
  at('ai', 'delete', '/cmdb/ai-relationships/{id}'),
  at('ops', 'get', '/livez', null),
]);
const found = (method: string, path: string) => {
  const match = table.match(method, path);
  if (match.found === 'nothing') return 'nothing';
  return match.found === 'method' ? `allow ${match.allow}` : [match.route.template, match.params];
};

describe('matching', () => {
  test.each([
    ['GET', '/api/events', ['/api/events', {}]],
    ['GET', '/api/events/', ['/api/events', {}]],
    ['HEAD', '/api/events', ['/api/events', {}]],
    ['GET', '/api/events/stats', ['/api/events/stats', {}]],
    ['GET', '/api/events/stat', ['/api/events/{eventId}', { eventId: 'stat' }]],
    ['GET', '/api/events/a%2Fb', ['/api/events/{eventId}', { eventId: 'a/b' }]],
    ['GET', '/api/events/__proto__', ['/api/events/{eventId}', { eventId: '__proto__' }]],
    ['GET', '/api/ci/find-by-ip/10.0.0.1', ['/api/ci/find-by-ip/{ip}', { ip: '10.0.0.1' }]],
    ['GET', '/api/ci/7/process-connections', ['/api/ci/{ciId}/process-connections', { ciId: '7' }]],
    ['GET', '/api/events/stats/correlations', ['/api/events/{eventId}/correlations', { eventId: 'stats' }]],
    ['GET', '/api/events/%zz', 'nothing'],
    ['GET', '/api/events//correlations', 'nothing'],
    ['GET', '/api', 'nothing'],
    ['GET', '/API/events', 'nothing'],
    ['GET', '', 'nothing'],
    ['POST', '/api/events/stats', 'allow GET, HEAD'],
    ['GET', '/api/events/correlate', 'allow POST'],
    ['PATCH', '/api/cmdb/ai-relationships/1', 'allow DELETE, PUT'],
  ])('%s %s', (method, path, expected) => expect(found(method, path)).toEqual(expected));

  test('a path is public when all its methods are', () => {
    expect(table.match('POST', '/livez')).toMatchObject({ isPublic: true });
    expect(table.match('POST', '/api/events')).toMatchObject({ isPublic: false });
  });

  test('two mounts of one method and path do not start, whatever their parameters are called', () =>
    expect(() => routes([at('v1', 'get', '/x/{a}'), at('v1', 'get', '/x/{b}')])).toThrow('mounted twice'));
});
