import type { ConsoleFeature } from '#console/slots/feature.ts';

export const webhooks: ConsoleFeature = {
  id: 'webhooks',
  pages: [
    {
      path: '/admin/webhooks',
      needs: 'webhooks.manage',
      load: () => import('./webhooks-page.tsx'),
      component: 'WebhooksPage',
    },
    {
      path: '/admin/webhooks/$id',
      needs: 'webhooks.manage',
      load: () => import('./webhook-page.tsx'),
      component: 'WebhookPage',
    },
  ],
  adminPages: [
    {
      place: 32,
      to: '/admin/webhooks',
      words: 'Webhooks',
      also: 'notifications integrations deliveries',
      needs: 'webhooks.manage',
    },
  ],
};
