import { expect, test } from '@jest/globals';
import { linkedTenant, tenantHash } from './tenant.ts';

test.each(['demo', 'a b', 'straße#1'])('a link carries the tenant %s', (tenant) => {
  expect(linkedTenant(tenantHash(tenant))).toBe(tenant);
});

test.each(['', '#main', '#code=x'])('%j names no tenant', (hash) => {
  expect(linkedTenant(hash)).toBeNull();
});
