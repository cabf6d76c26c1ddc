import { expect } from '@jest/globals';
import type { Reply } from '#test/setup/test-app.ts';

/** The body of an error in this style (docs/specification.md §13). */
export const expectBody = (prefix: string, { body, headers }: Reply, code: string, field: string | undefined): void => {
  const id = headers.get('x-request-id');
  const own = { code, message: expect.stringMatching(/./) };
  if (prefix === '/v1') {
    const details = field === undefined ? [] : [{ field, error: expect.stringMatching(/./) }];
    const rest = { request_id: id, documentation_url: expect.stringMatching(/./) };
    expect(body).toEqual({
      error: expect.objectContaining({ ...own, ...rest, details: expect.arrayContaining(details) }),
    });
    expect(body).not.toHaveProperty('success');
  } else {
    const details = field === undefined ? expect.any(Object) : { field, reason: expect.stringMatching(/./) };
    expect(body).toEqual({ success: false, error: expect.objectContaining({ ...own, requestId: id, details }) });
  }
  expect(JSON.stringify(body)).not.toMatch(/SELECT|srv/);
};
